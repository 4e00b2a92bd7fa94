import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Newspaper, Repeat2, Reply } from 'lucide-react';
import { accountsQuery, feedQuery } from '../api/queries.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import styles from './accounts.module.css';
import { Avatar } from './avatar.tsx';

/** What stands on the sandbox platform for an account, as its followers would see it. */
export function FeedPage() {
  const { accountId } = getRouteApi('/inside/accounts/$accountId/feed').useParams();
  const accounts = useQuery(accountsQuery).data;
  const account = accounts?.find(({ account_id }) => account_id === accountId);
  const handle = account?.handle ?? '';
  return (
    <>
      <PageHead
        title="Sandbox feed"
        actions={
          <Link to="/accounts/$accountId" params={{ accountId }} className="button">
            The account
          </Link>
        }
      >
        {handle ? `What followers of @${handle} would see.` : null}
      </PageHead>
      <section className="card card-flush" style={{ maxWidth: '42rem' }}>
        <Loaded query={useQuery(feedQuery(accountId))}>
          {(posts) =>
            posts.length === 0 ? (
              <Empty icon={Newspaper} title="Nothing was posted yet">
                As soon as a post goes out, it stands here.
              </Empty>
            ) : (
              <ul>
                {posts.map((post) => (
                  <li key={post.ref} className={styles['post']}>
                    <Avatar handle={handle || '?'} />
                    <p className="row small">
                      <strong>{account?.display_name ?? handle}</strong>
                      <span className="muted">
                        @{handle} · <Ago at={post.created_at} />
                      </span>
                    </p>
                    {post.kind === 'post' && !post.in_reply_to ? null : (
                      <p className="row tiny muted">
                        {post.kind === 'repost' ? <Repeat2 size={14} /> : <Reply size={14} />}
                        {post.kind === 'repost' ? 'Reposted' : null}
                        {post.kind === 'reply' ? 'Auto-reply' : null}
                        {post.kind === 'post' ? 'In a thread' : null}
                      </p>
                    )}
                    <p className="pre-wrap">{post.text}</p>
                    {post.media.length > 0 ? (
                      <p className="tiny muted">{post.media.length} media</p>
                    ) : null}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
    </>
  );
}
