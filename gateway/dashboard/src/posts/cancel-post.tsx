import type { Post } from '@perch/proto/posts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';

/** Cancels a post that has not gone out yet. */
export function CancelPost({ post }: { post: Post }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const cancel = useOnce(
    (_: null, idempotency_key) => api.posts.cancel.mutate({ post_id: post.id, idempotency_key }),
    {
      success: async () => {
        await client.invalidateQueries({ queryKey: ['posts'] });
        setAsking(false);
        tell('The post is cancelled');
      },
      failure: (error) => tellFailure('The post was not cancelled', error),
    },
  );
  return (
    <>
      <Button onClick={() => setAsking(true)}>Cancel post</Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => cancel.mutate(null)}
        title="Cancel this post?"
        action="Cancel post"
        pending={cancel.isPending}
      >
        <p>It will not go out, nothing is charged, and its place in the day is free again.</p>
      </Confirm>
    </>
  );
}
