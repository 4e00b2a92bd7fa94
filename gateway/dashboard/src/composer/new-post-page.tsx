import type { NewPost } from '@perch/proto/posts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { api, type Outputs } from '../api/client.ts';
import { accountsQuery, postQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { fromField, quarterAfter, toField } from '../posts/local-calendar.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Loaded, Loading } from '../ui/states.tsx';
import { tell } from '../ui/toasts.tsx';
import { Composer } from './composer.tsx';
import { type Draft, draftOf, emptyDraft, newPostOf } from './draft.ts';
import { useDraft } from './use-draft.ts';

type Account = Outputs['accounts']['list'][number];

const route = getRouteApi('/inside/posts/new');
const hourMs = 3_600_000;

/** Writes a new post, from nothing, for a time on the calendar, or as a copy of another. */
export function NewPostPage() {
  const { account: asked, at, copy } = route.useSearch();
  const original = useQuery({ ...postQuery(copy ?? ''), enabled: copy !== undefined });
  return (
    <>
      <PageHead title="New post" />
      <Loaded query={useQuery(accountsQuery)} lines={6}>
        {(accounts) => {
          const from = original.data?.account_id ?? asked;
          const account =
            accounts.find(({ account_id }) => account_id === from) ??
            accounts.find(({ status }) => status === 'connected') ??
            accounts[0];
          if (!account) return <NoAccount />;
          if (copy !== undefined && original.isPending) return <Loading lines={6} />;
          const atMs = at === undefined ? Number.NaN : Date.parse(at);
          const startMs = Number.isNaN(atMs) ? quarterAfter(Date.now(), hourMs) : atMs;
          const field = toField(startMs, account.time_zone);
          return (
            <Writing
              accounts={accounts}
              start={() =>
                original.data
                  ? { ...draftOf(original.data, field), accountId: account.account_id }
                  : emptyDraft(account.account_id, field)
              }
            />
          );
        }}
      </Loaded>
    </>
  );
}

function NoAccount() {
  return (
    <div className="card">
      <Empty
        icon={UsersRound}
        title="Connect an account first"
        action={
          <Link to="/accounts" className="button button-primary">
            Connect an account
          </Link>
        }
      >
        A post goes out through one of your accounts. The sandbox needs no credentials.
      </Empty>
    </div>
  );
}

function Writing({ accounts, start }: { accounts: Account[]; start: () => Draft }) {
  const controls = useDraft(start);
  const { draft } = controls;
  const client = useQueryClient();
  const navigate = useNavigate();
  const account = accounts.find(({ account_id }) => account_id === draft.accountId);
  const create = useOnce(
    (post: NewPost, idempotency_key) => api.posts.create.mutate({ post, idempotency_key }),
    {
      success: async (post, asked) => {
        await navigate({ to: '/posts/$postId', params: { postId: post.id } });
        client.invalidateQueries({ queryKey: ['posts'] }).catch(() => undefined);
        tell(asked.publish_now ? 'The post is on its way' : 'The post is scheduled');
      },
    },
  );
  if (!account) return null;
  const zone = account.time_zone;
  function submit(): void {
    const post = newPostOf(draft, fromField(draft.at, zone));
    if (post) create.mutate(post);
  }
  return (
    <Composer
      controls={controls}
      accounts={accounts}
      account={account}
      editing={false}
      error={create.error}
      onSubmit={submit}
      buttons={(sendable) => (
        <>
          <Link to="/posts" className="button button-ghost">
            Leave
          </Link>
          <Button
            look="primary"
            disabled={!sendable}
            pending={create.isPending}
            title="Ctrl Enter"
            onClick={submit}
          >
            {draft.now ? 'Publish now' : 'Schedule'}
          </Button>
        </>
      )}
    />
  );
}
