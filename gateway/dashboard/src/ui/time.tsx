import { useNow } from './now.tsx';

/** An instant as `Sat 21 Nov, 10:21` on the clock of the zone; the browser's where none is given. */
export function When({ at, zone, year }: { at: string; zone?: string; year?: boolean }) {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(year && { year: 'numeric' }),
    ...(zone && { timeZone: zone }),
  });
  const instant = new Date(at);
  return (
    <time dateTime={at} title={`${at} (UTC)`} className="numeric">
      {format.format(instant)}
    </time>
  );
}

/** How long ago, or until: `5 minutes ago`, `in 3 days`. */
export function Ago({ at }: { at: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={at} title={`${at} (UTC)`}>
      {ago(Date.parse(at), nowMs)}
    </time>
  );
}

/** The distance of two instants in words, in the largest unit that fits. */
export function ago(atMs: number, nowMs: number): string {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const seconds = Math.round((atMs - nowMs) / 1_000);
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ];
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  return Math.abs(seconds) < 10 ? 'just now' : format.format(seconds, 'second');
}

/** A sentence of the server with its UTC instants put on the clock of the zone. */
export function onClockOf(zone: string, text: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  });
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => format.format(new Date(at)));
}
