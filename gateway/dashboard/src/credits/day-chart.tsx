import type { Outputs } from '../api/client.ts';
import styles from './credits.module.css';

type Days = Outputs['credits']['daily'];

const height = 150;
const barWidth = 14;
const step = 20;

/** Credits used on each day, as bars; {@link DayTable} has the same numbers. */
export function DayChart({ days }: { days: Days }) {
  const most = niceMost(Math.max(1, ...days.map(({ charged }) => charged)));
  const width = days.length * step;
  const total = days.reduce((sum, { charged }) => sum + charged, 0);
  const y = (credits: number) => height - (credits / most) * height;
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="stack-2">
      <div style={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: 8 }}>
        <div
          className={styles['axis-row']}
          style={{ flexDirection: 'column', textAlign: 'end' }}
          aria-hidden="true"
        >
          <span>{most}</span>
          <span>0</span>
        </div>
        <svg
          className={styles['chart']}
          style={{ height }}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${total} credits used in ${days.length} days; the table has each day`}
        >
          {[0, most / 2, most].map((line) => (
            <line
              key={line}
              className={styles['grid']}
              x1="0"
              x2={width}
              y1={y(line)}
              y2={y(line)}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {days.map(({ date, charged }, index) => (
            <rect
              key={date}
              className={styles['bar']}
              x={index * step + (step - barWidth) / 2}
              width={barWidth}
              y={y(charged)}
              height={height - y(charged)}
            >
              <title>{`${date}: ${charged}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <figcaption className={styles['axis-row']}>
        <span>{first ? dayLabel(first.date) : ''}</span>
        <span>{total} credits in all</span>
        <span>{last ? dayLabel(last.date) : ''}</span>
      </figcaption>
    </figure>
  );
}

/** The same numbers to be read one by one. */
export function DayTable({ days }: { days: Days }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section tabIndex={0} aria-label="Days" className="table-wrap" style={{ maxHeight: '16rem' }}>
      <table className="table">
        <thead>
          <tr>
            <th>Day</th>
            <th className="end">Used</th>
            <th className="end">Added</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, charged, granted }) => (
            <tr key={date}>
              <td>{dayLabel(date)}</td>
              <td className="end numeric">{charged}</td>
              <td className="end numeric">{granted}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The next round number: 1, 2, 5, 10, 20, 50 and so on. */
export function niceMost(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10) * power;
}

function dayLabel(date: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${date}T00:00:00Z`));
}
