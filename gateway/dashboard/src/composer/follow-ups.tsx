import { limits } from '@perch/proto/limits';
import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { Field } from '../ui/field.tsx';
import type { DraftControls } from './use-draft.ts';

/** What is to happen after the post: locked, and saying why, on the free plan. */
export function FollowUps({ controls, paid }: { controls: DraftControls; paid: boolean }) {
  const { draft, change } = controls;
  const { autoReply, autoRetweet } = draft;
  return (
    <section className="card stack" aria-label="After the post">
      <div className="row-between">
        <h2>After the post</h2>
        {paid ? null : (
          <span className="row small muted">
            <Lock size={14} aria-hidden="true" />
            <span>
              Needs <Link to="/plan">the paid plan</Link>
            </span>
          </span>
        )}
      </div>
      <label className="check">
        <input
          type="checkbox"
          disabled={!paid}
          checked={autoReply.enabled}
          onChange={({ target }) =>
            change({ autoReply: { ...autoReply, enabled: target.checked } })
          }
        />
        <span>Auto-reply to people who answer</span>
      </label>
      {autoReply.enabled && paid ? (
        <div className="columns">
          <Field label="Text" hint="Empty: the account’s own template.">
            {(control) => (
              <input
                {...control}
                className="input"
                value={autoReply.text}
                onChange={({ target }) =>
                  change({ autoReply: { ...autoReply, text: target.value } })
                }
              />
            )}
          </Field>
          <Field label="Replies at the most">
            {(control) => (
              <input
                {...control}
                className="input"
                type="number"
                min={1}
                max={limits.autoReplies}
                value={autoReply.max}
                onChange={({ target }) =>
                  change({ autoReply: { ...autoReply, max: target.valueAsNumber || 1 } })
                }
              />
            )}
          </Field>
        </div>
      ) : null}
      <label className="check">
        <input
          type="checkbox"
          disabled={!paid}
          checked={autoRetweet.enabled}
          onChange={({ target }) =>
            change({ autoRetweet: { ...autoRetweet, enabled: target.checked } })
          }
        />
        <span>Auto-retweet it later</span>
      </label>
      {autoRetweet.enabled && paid ? (
        <Field label="Hours after it went out">
          {(control) => (
            <input
              {...control}
              className="input"
              style={{ maxWidth: '9rem' }}
              type="number"
              min={1}
              max={limits.autoRetweetHours}
              value={autoRetweet.afterHours}
              onChange={({ target }) =>
                change({ autoRetweet: { ...autoRetweet, afterHours: target.valueAsNumber || 1 } })
              }
            />
          )}
        </Field>
      ) : null}
    </section>
  );
}
