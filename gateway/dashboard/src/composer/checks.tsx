import { CircleAlert, CircleCheck } from 'lucide-react';
import type { Outputs } from '../api/client.ts';
import { credits } from '../posts/event-words.ts';
import { Button } from '../ui/button.tsx';
import { onClockOf, When } from '../ui/time.tsx';

/** What the server says would become of a draft. */
export type Rehearsal = Outputs['posts']['validate'];

/** What stands against the post, what it costs, and the next time that would do. */
export function Checks(props: {
  rehearsal: Rehearsal | undefined;
  /** Whether the rehearsal is of an older draft, and a new one is on its way. */
  stale: boolean;
  onUseTime: (at: string) => void;
}) {
  const { rehearsal } = props;
  if (!rehearsal)
    return (
      <section className="card" aria-label="Checks">
        <p className="small muted">
          As soon as there is a text, this tells its price, its day and whether it would go out.
        </p>
      </section>
    );
  const { daily_limit: day, time_zone: zone } = rehearsal;
  const general = rehearsal.issues.filter(({ pointer }) => !/tweets\/\d+/.test(pointer));
  return (
    <section className="card stack" aria-label="Checks" aria-busy={props.stale}>
      <div className="row">
        {rehearsal.valid ? (
          <CircleCheck size={18} color="var(--good)" aria-hidden="true" />
        ) : (
          <CircleAlert size={18} color="var(--bad)" aria-hidden="true" />
        )}
        <h2 aria-live="polite">{rehearsal.valid ? 'Ready to go' : 'Not yet'}</h2>
      </div>
      {general.map(({ code, detail }) => (
        <p key={`${code} ${detail}`} className="field-error">
          {onClockOf(zone, detail)}
        </p>
      ))}
      <dl className="facts">
        <dt>Costs</dt>
        <dd>
          {credits(rehearsal.cost.credits)}
          {rehearsal.cost.contains_url ? <span className="muted"> with a link</span> : null}
        </dd>
        <dt>Left before it</dt>
        <dd className="numeric">{rehearsal.credits.available.toLocaleString('en')}</dd>
        <dt>Its day</dt>
        <dd className="numeric">
          {day.used} of {day.limit} taken
        </dd>
        <dt>Goes out</dt>
        <dd>
          {rehearsal.posting_window.publishes_at ? (
            <When at={rehearsal.posting_window.publishes_at} zone={zone} />
          ) : (
            'not then'
          )}
        </dd>
      </dl>
      <NextTime {...props} rehearsal={rehearsal} />
    </section>
  );
}

function NextTime(props: { rehearsal: Rehearsal; onUseTime: (at: string) => void }) {
  const { next_legal_at: next, scheduled_at: asked, time_zone: zone } = props.rehearsal;
  if (next === null || next === asked) return null;
  return (
    <div className="stack-2">
      <p className="small muted">
        The next time that window and day allow is <When at={next} zone={zone} />.
      </p>
      <div>
        <Button small onClick={() => props.onUseTime(next)}>
          Use that time
        </Button>
      </div>
    </div>
  );
}
