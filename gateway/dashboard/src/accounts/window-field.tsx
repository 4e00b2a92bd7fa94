import type { PostingWindow } from '@perch/proto/accounts';
import { openMinutes } from '../posts/window-shade.ts';
import { FieldError } from '../ui/field.tsx';
import styles from './accounts.module.css';

const minutesInDay = 24 * 60;

/** From when to when an account may post; from later to earlier goes over midnight. */
export function WindowField(props: {
  value: PostingWindow;
  onChange: (window: PostingWindow) => void;
  error: string | undefined;
}) {
  const { opens, closes } = props.value;
  const untilMidnight = closes === '24:00';
  return (
    <fieldset className="stack-2">
      <legend className="label">Posting window</legend>
      <div className={styles['pair']}>
        <label className="stack-2 small">
          <span className="muted">Opens</span>
          <input
            type="time"
            className="input"
            required
            value={opens}
            onChange={(event) => props.onChange({ opens: event.target.value, closes })}
          />
        </label>
        <label className="stack-2 small">
          <span className="muted">Closes</span>
          <input
            type="time"
            className="input"
            required
            value={untilMidnight ? '00:00' : closes}
            onChange={({ target }) =>
              props.onChange({ opens, closes: target.value === '00:00' ? '24:00' : target.value })
            }
          />
        </label>
      </div>
      <div aria-hidden="true">
        <div className={styles['strip']}>
          {openMinutes(props.value).map(({ from, to }) => (
            <div
              key={from}
              className={styles['open']}
              style={{
                left: `${(from / minutesInDay) * 100}%`,
                width: `${((to - from) / minutesInDay) * 100}%`,
              }}
            />
          ))}
        </div>
        <div className={styles['hours']}>
          {['00', '06', '12', '18', '24'].map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </div>
      </div>
      <p className="field-hint">{inWords(props.value)}</p>
      {props.error ? <FieldError>{props.error}</FieldError> : null}
    </fieldset>
  );
}

/** The window as a sentence. */
export function inWords({ opens, closes }: PostingWindow): string {
  if (opens === closes) return 'Opening and closing must differ.';
  if (opens === '00:00' && closes === '24:00') return 'Open all day and night.';
  if (closes === '24:00') return `Open from ${opens} to midnight.`;
  return closes < opens
    ? `Open from ${opens}, over midnight, until ${closes} on the next day.`
    : `Open from ${opens} to ${closes}.`;
}
