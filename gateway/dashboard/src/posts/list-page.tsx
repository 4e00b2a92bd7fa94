import type { Post, PostStatus } from '@perch/proto/posts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ListFilter, PenLine } from 'lucide-react';
import type { Outputs } from '../api/client.ts';
import { accountsQuery, postsQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { When } from '../ui/time.tsx';
import styles from './list.module.css';
import { StatusBadge, statusLabels } from './status.tsx';
import { PostsTabs } from './tabs.tsx';

type Accounts = Outputs['accounts']['list'];

const route = getRouteApi('/inside/posts/list');

/** All posts, newest first, by account and status. */
export function ListPage() {
  const { account, status } = route.useSearch();
  const accounts = useQuery(accountsQuery).data ?? [];
  const query = useInfiniteQuery(
    postsQuery({ limit: 30, ...(account && { account_id: account }), ...(status && { status }) }),
  );
  const posts = query.data?.pages.flatMap((page) => page.data) ?? [];
  const filtered = account !== undefined || status !== undefined;
  return (
    <>
      <PageHead title="Posts" />
      <PostsTabs />
      <Filters accounts={accounts} account={account} status={status} />
      <section className="card card-flush">
        {query.isPending ? <Loading lines={6} /> : null}
        {query.isError ? <Failed error={query.error} onRetry={() => query.refetch()} /> : null}
        {query.isSuccess && posts.length === 0 ? <Nothing filtered={filtered} /> : null}
        <ul>
          {posts.map((post) => (
            <Line key={post.id} post={post} accounts={accounts} />
          ))}
        </ul>
        {query.hasNextPage ? (
          <div className={styles['more']}>
            <Button pending={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
              Show more
            </Button>
          </div>
        ) : null}
      </section>
    </>
  );
}

function Filters(props: {
  accounts: Accounts;
  account: string | undefined;
  status: PostStatus | undefined;
}) {
  const navigate = useNavigate({ from: '/posts/list' });
  const go = (part: { account?: string | undefined; status?: PostStatus | undefined }) =>
    navigate({ to: '/posts/list', search: (old) => ({ ...old, ...part }) }).catch(() => undefined);
  return (
    <div className="row">
      <select
        className="input input-small"
        style={{ width: 'auto' }}
        aria-label="Account"
        value={props.account ?? ''}
        onChange={(event) => go({ account: event.target.value || undefined })}
      >
        <option value="">All accounts</option>
        {props.accounts.map(({ account_id, handle }) => (
          <option key={account_id} value={account_id}>
            @{handle}
          </option>
        ))}
      </select>
      <select
        className="input input-small"
        style={{ width: 'auto' }}
        aria-label="Status"
        value={props.status ?? ''}
        onChange={({ target }) =>
          go({ status: statusLabels.find(({ status }) => status === target.value)?.status })
        }
      >
        <option value="">Any status</option>
        {statusLabels.map(({ status, label }) => (
          <option key={status} value={status}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty icon={ListFilter} title="No post fits these filters" />;
  return (
    <Empty
      icon={PenLine}
      title="No posts yet"
      action={
        <Link to="/posts/new" className="button button-primary">
          Write a post
        </Link>
      }
    >
      Write the first one here, or send it to the API.
    </Empty>
  );
}

function Line({ post, accounts }: { post: Post; accounts: Accounts }) {
  const account = accounts.find(({ account_id }) => account_id === post.account_id);
  const media = post.tweets.reduce((sum, tweet) => sum + tweet.media_ids.length, 0);
  return (
    <li>
      <Link to="/posts/$postId" params={{ postId: post.id }} className={styles['line']}>
        <span className={styles['text']}>
          <span className="clip strong">{post.tweets[0]?.text || 'Media'}</span>
          <span className="tiny muted">
            <When at={post.scheduled_at} {...(account && { zone: account.time_zone })} />
            {account ? ` · @${account.handle}` : null}
            {post.tweets.length > 1 ? ` · ${post.tweets.length} tweets` : null}
            {media > 0 ? ` · ${media} media` : null}
          </span>
        </span>
        <span className="row">
          {post.mode === 'test' ? <span className="badge badge-plain tone-info">Test</span> : null}
          <StatusBadge status={post.status} />
        </span>
      </Link>
    </li>
  );
}
