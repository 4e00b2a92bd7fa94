import type { Post } from '@perch/proto/posts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Copy, PenLine } from 'lucide-react';
import type { Outputs } from '../api/client.ts';
import { codeOf } from '../api/failure.ts';
import { accountsQuery, postQuery } from '../api/queries.ts';
import { NotFound } from '../shell/lost.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded } from '../ui/states.tsx';
import { Ago, When } from '../ui/time.tsx';
import { CancelPost } from './cancel-post.tsx';
import { credits } from './event-words.ts';
import styles from './post.module.css';
import { Reschedule } from './reschedule.tsx';
import { failureWords, StatusBadge } from './status.tsx';
import { Timeline } from './timeline.tsx';
import { storedMedia, TweetThread } from './tweet-thread.tsx';

type Account = Outputs['accounts']['list'][number];

/** One post: what it says, where it is in its life, and what can still be done about it. */
export function PostPage() {
  const { postId } = getRouteApi('/inside/posts/$postId').useParams();
  const post = useQuery(postQuery(postId));
  const accounts = useQuery(accountsQuery).data;
  if (codeOf(post.error) === 'not_found' || codeOf(post.error) === 'validation_failed')
    return <NotFound />;
  return (
    <Loaded query={post} lines={6}>
      {(found) => (
        <Page
          post={found}
          account={accounts?.find(({ account_id }) => account_id === found.account_id)}
        />
      )}
    </Loaded>
  );
}

function Page({ post, account }: { post: Post; account: Account | undefined }) {
  const zone = account?.time_zone ?? 'UTC';
  return (
    <>
      <PageHead title="Post" actions={<Actions post={post} zone={zone} />}>
        <When at={post.scheduled_at} zone={zone} year />, <Ago at={post.scheduled_at} />
      </PageHead>
      {post.failure ? <Failure failure={post.failure} /> : null}
      <div className={styles['page']}>
        <div className="stack">
          <section className="card" aria-label="Thread">
            <TweetThread
              account={account}
              tweets={post.tweets.map((tweet, index) => ({
                key: String(index),
                text: tweet.text,
                media: storedMedia(tweet.media_ids),
                url: tweet.url,
              }))}
            />
          </section>
          <Timeline post={post} zone={zone} />
        </div>
        <Facts post={post} account={account} zone={zone} />
      </div>
    </>
  );
}

function Actions({ post, zone }: { post: Post; zone: string }) {
  return (
    <>
      {post.status === 'scheduled' ? (
        <>
          <Link to="/posts/$postId/edit" params={{ postId: post.id }} className="button">
            <PenLine aria-hidden="true" /> Edit
          </Link>
          <Reschedule post={post} zone={zone} />
          <CancelPost post={post} />
        </>
      ) : null}
      <Link to="/posts/new" search={{ copy: post.id }} className="button">
        <Copy aria-hidden="true" /> Copy
      </Link>
    </>
  );
}

function Failure({ failure }: { failure: NonNullable<Post['failure']> }) {
  const { title, advice } = failureWords[failure.code];
  return (
    <Notice tone="bad">
      <strong>{title}.</strong>
      <span>{advice}</span>
      <span className="muted">
        Perch says: {failure.detail} <code>{failure.code}</code>
      </span>
    </Notice>
  );
}

function Facts(props: { post: Post; account: Account | undefined; zone: string }) {
  const { post, account, zone } = props;
  return (
    <aside className="card stack" aria-label="About the post">
      <div className="row">
        <StatusBadge status={post.status} />
        {post.mode === 'test' ? <span className="badge badge-plain tone-info">Test</span> : null}
      </div>
      <dl className="facts">
        <dt>Account</dt>
        <dd>
          {account ? (
            <Link to="/accounts/$accountId" params={{ accountId: account.account_id }}>
              @{account.handle}
            </Link>
          ) : (
            <code>{post.account_id}</code>
          )}
        </dd>
        <dt>Due</dt>
        <dd>
          <When at={post.scheduled_at} zone={zone} />
          <div className="tiny muted">{zone.replaceAll('_', ' ')}</div>
        </dd>
        {post.posted_at ? (
          <>
            <dt>Posted</dt>
            <dd>
              <When at={post.posted_at} zone={zone} />
            </dd>
          </>
        ) : null}
        <dt>Cost</dt>
        <dd>
          {credits(post.cost.credits)}, {post.cost.charged ? 'charged' : 'not charged'}
          {post.cost.contains_url ? (
            <div className="tiny muted">with the one for a link</div>
          ) : null}
        </dd>
        <dt>Auto-reply</dt>
        <dd>{post.auto_reply?.enabled ? `Up to ${post.auto_reply.max}` : 'Off'}</dd>
        <dt>Auto-retweet</dt>
        <dd>{post.auto_retweet?.enabled ? `After ${post.auto_retweet.after_hours} h` : 'Off'}</dd>
        <dt>Id</dt>
        <dd>
          <code className="tiny">{post.id}</code>
        </dd>
      </dl>
    </aside>
  );
}
