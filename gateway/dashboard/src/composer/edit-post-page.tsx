import type { Post } from '@perch/proto/posts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api, type Outputs } from '../api/client.ts';
import { codeOf } from '../api/failure.ts';
import { accountsQuery, postQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { fromField, toField } from '../posts/local-calendar.ts';
import { NotFound } from '../shell/lost.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded } from '../ui/states.tsx';
import { tell } from '../ui/toasts.tsx';
import { Composer } from './composer.tsx';
import { draftOf, patchOf } from './draft.ts';
import { useDraft } from './use-draft.ts';

type Accounts = Outputs['accounts']['list'];

/** Changes a post that has not gone out yet. */
export function EditPostPage() {
  const { postId } = getRouteApi('/inside/posts/$postId/edit').useParams();
  const post = useQuery({ ...postQuery(postId), refetchOnWindowFocus: false });
  const accounts = useQuery(accountsQuery);
  if (codeOf(post.error) === 'not_found') return <NotFound />;
  return (
    <>
      <PageHead title="Edit post" />
      <Loaded query={accounts} lines={6}>
        {(all) => (
          <Loaded query={post} lines={6}>
            {(found) => <Editing post={found} accounts={all} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

function Editing({ post, accounts }: { post: Post; accounts: Accounts }) {
  const account = accounts.find(({ account_id }) => account_id === post.account_id);
  const zone = account?.time_zone ?? 'UTC';
  const controls = useDraft(() => draftOf(post, toField(Date.parse(post.scheduled_at), zone)));
  const client = useQueryClient();
  const navigate = useNavigate();
  const save = useOnce(
    (patch: ReturnType<typeof patchOf>, idempotency_key) =>
      api.posts.update.mutate({
        post_id: post.id,
        patch,
        if_version: post.version,
        idempotency_key,
      }),
    {
      success: async () => {
        await client.invalidateQueries({ queryKey: ['posts'] });
        await navigate({ to: '/posts/$postId', params: { postId: post.id } });
        tell('The post is changed');
      },
    },
  );
  if (!account || post.status !== 'scheduled')
    return <Notice tone="info">This post can no longer be changed.</Notice>;
  function submit(): void {
    const atMs = fromField(controls.draft.at, zone);
    if (atMs !== null) save.mutate(patchOf(controls.draft, atMs));
  }
  return (
    <Composer
      controls={controls}
      accounts={accounts}
      account={account}
      editing
      error={save.error}
      onSubmit={submit}
      buttons={(sendable) => (
        <>
          <Link to="/posts/$postId" params={{ postId: post.id }} className="button button-ghost">
            Leave
          </Link>
          <Button
            look="primary"
            disabled={!sendable}
            pending={save.isPending}
            title="Ctrl Enter"
            onClick={submit}
          >
            Save
          </Button>
        </>
      )}
    />
  );
}
