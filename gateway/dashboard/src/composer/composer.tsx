import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { Outputs } from '../api/client.ts';
import { codeOf, sentence } from '../api/failure.ts';
import { configQuery, sessionQuery } from '../api/queries.ts';
import { credits } from '../posts/event-words.ts';
import { fromField, toField } from '../posts/local-calendar.ts';
import { TweetThread } from '../posts/tweet-thread.tsx';
import { Notice } from '../ui/notice.tsx';
import { onClockOf } from '../ui/time.tsx';
import { Checks, type Rehearsal } from './checks.tsx';
import styles from './composer.module.css';
import { type Draft, isReady, newPostOf } from './draft.ts';
import { estimateLength } from './estimate-length.ts';
import { FollowUps } from './follow-ups.tsx';
import { MediaPreview } from './media-strip.tsx';
import { Presets } from './presets.tsx';
import { TweetEditor } from './tweet-editor.tsx';
import type { DraftControls } from './use-draft.ts';
import { useRehearsal } from './use-rehearsal.ts';
import { WhenFields } from './when-fields.tsx';
import { WriteWithAi } from './write-with-ai.tsx';

type Account = Outputs['accounts']['list'][number];

const usualMaxLength = 280;

/** Writes a post: the thread, its time, what follows it; with what would become of it, and how it will look. */
export function Composer(props: {
  controls: DraftControls;
  accounts: Account[];
  account: Account;
  /** A post that is there already keeps its account, and can not be published at once. */
  editing: boolean;
  error: Error | null;
  /** The buttons that send it; told whether the draft can be sent. */
  buttons: (sendable: boolean) => ReactNode;
  onSubmit: () => void;
}) {
  const { controls, account } = props;
  const { draft } = controls;
  const zone = account.time_zone;
  const paid = useQuery(sessionQuery).data?.user.plan === 'paid';
  const ai = useQuery(configQuery).data?.ai ?? false;
  const ready = isReady(draft);
  const post = newPostOf(draft, fromField(draft.at, zone));
  const { rehearsal, stale, error } = useRehearsal(ready ? post : null);
  const sendable = ready && post !== null;
  useCtrlEnter(() => sendable && props.onSubmit());
  const maxLength = rehearsal?.lengths[0]?.max_length ?? usualMaxLength;
  const problem = props.error ?? (codeOf(error) === 'validation_failed' ? null : error);
  return (
    <div className={styles['page']}>
      <div className="stack">
        {problem ? <Notice tone="bad">{onClockOf(zone, sentence(problem))}</Notice> : null}
        <div className="row">
          <Presets controls={controls} />
          {ai ? <WriteWithAi controls={controls} maxLength={maxLength} /> : null}
        </div>
        <ol className="card card-flush">
          {draft.tweets.map((tweet, index) => (
            <TweetEditor
              key={tweet.key}
              controls={controls}
              tweet={tweet}
              index={index}
              maxLength={maxLength}
              length={(!stale && rehearsal?.lengths[index]?.length) || estimateLength(tweet.text)}
              errors={stale ? [] : issuesOf(rehearsal, index)}
            />
          ))}
        </ol>
        <WhenFields {...props} />
        <FollowUps controls={controls} paid={paid} />
        <div className={styles['bar']}>
          <span className="grow small muted clip">{stale ? null : inShort(rehearsal)}</span>
          {props.buttons(sendable)}
        </div>
      </div>
      <aside className={`stack ${styles['side']}`}>
        <Checks
          rehearsal={rehearsal}
          stale={stale}
          onUseTime={(at) => controls.change({ now: false, at: toField(Date.parse(at), zone) })}
        />
        <Preview draft={draft} account={account} />
      </aside>
    </div>
  );
}

function Preview({ draft, account }: { draft: Draft; account: Account }) {
  return (
    <section className="card stack" aria-label="Preview">
      <h2>Preview</h2>
      <TweetThread
        account={account}
        tweets={draft.tweets.map(({ key, text, media }) => ({
          key,
          text,
          url: null,
          media:
            media.length > 0
              ? media.map((one) => <MediaPreview key={one.key} media={one} />)
              : null,
        }))}
      />
    </section>
  );
}

/** Calls back for Ctrl+Enter (Cmd+Enter on a Mac), wherever the focus is but in a dialog. */
function useCtrlEnter(onPressed: () => unknown): void {
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const { key, shiftKey, ctrlKey, metaKey, target } = event;
      if (key !== 'Enter' || shiftKey || !(ctrlKey || metaKey)) return;
      if (target instanceof HTMLElement && target.closest('[role=dialog]')) return;
      event.preventDefault();
      onPressed();
    }
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [onPressed]);
}

/** What the checks say, for the bar that is always in sight. */
function inShort(rehearsal: Rehearsal | undefined): string | null {
  if (!rehearsal) return null;
  if (rehearsal.valid) return credits(rehearsal.cost.credits);
  const count = rehearsal.issues.length;
  return count === 1 ? 'One thing stands against it' : `${count} things stand against it`;
}

/** What stands against one tweet. */
function issuesOf(rehearsal: Rehearsal | undefined, index: number): string[] {
  const pointer = new RegExp(`(^|/)tweets/${index}(/|$)`);
  const issues = rehearsal?.issues.filter((issue) => pointer.test(issue.pointer)) ?? [];
  return issues.map(({ detail }) => detail);
}
