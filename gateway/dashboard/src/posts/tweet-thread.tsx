import type { ReactNode } from 'react';
import { Avatar } from '../accounts/avatar.tsx';
import type { Outputs } from '../api/client.ts';
import { OutsideLink } from '../ui/outside-link.tsx';
import { StoredMedia } from './media.tsx';
import styles from './post.module.css';

type Account = Outputs['accounts']['list'][number];

/** One tweet as it is shown: its text, its media, and where it stands. */
export interface ShownTweet {
  key: string;
  text: string;
  media: ReactNode;
  url: string | null;
}

/** A thread as readers of the platform would see it; texts are only ever shown as text. */
export function TweetThread(props: { account: Account | undefined; tweets: ShownTweet[] }) {
  const { account } = props;
  return (
    <ol className={styles['thread']}>
      {props.tweets.map((tweet) => (
        <li key={tweet.key} className={styles['tweet']}>
          <Avatar handle={account?.handle ?? '?'} />
          <div>
            <p className="row small" style={{ columnGap: 6, rowGap: 0 }}>
              <strong>{account?.display_name ?? 'Account'}</strong>
              {account ? <span className="muted">@{account.handle}</span> : null}
            </p>
            <p className="pre-wrap">{tweet.text || <span className="faint">…</span>}</p>
            {tweet.media ? <div className={styles['media']}>{tweet.media}</div> : null}
            {tweet.url ? (
              <p className="tiny" style={{ marginTop: 4 }}>
                <OutsideLink href={tweet.url}>See it on the platform</OutsideLink>
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The media of a stored tweet, or nothing. */
export function storedMedia(ids: string[]): ReactNode {
  return ids.length === 0 ? null : ids.map((id) => <StoredMedia key={id} id={id} />);
}
