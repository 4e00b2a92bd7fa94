import type { Post } from '@perch/proto/posts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { useOnce } from '../api/use-once.ts';
import { tell, tellFailure } from '../ui/toasts.tsx';

/** A post that was moved and is not yet known to be: where it is shown meanwhile. */
export type Moved = ReadonlyMap<string, number>;

const nudgeRestMs = 700;

/**
 * Moves posts to other times. A move shows at once and is taken back, with the reason, when the server refuses
 * it. Nudges are gathered until the keys rest, so that ten presses are one move.
 */
export function useMove(zone: string): {
  moved: Moved;
  move: (post: Post, toMs: number) => void;
  nudge: (post: Post, toMs: number) => void;
} {
  const client = useQueryClient();
  const [moved, setMoved] = useState<Moved>(new Map());
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const nudged = useRef<string | null>(null);
  useEffect(() => () => clearTimeout(resting.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another day the post is a new element.
  useEffect(() => {
    if (nudged.current) elementOf(nudged.current)?.focus();
  }, [moved]);
  const show = (id: string, atMs: number) => setMoved((old) => new Map(old).set(id, atMs));
  const forget = (id: string) =>
    setMoved((old) => new Map([...old].filter(([other]) => other !== id)));
  const send = useOnce(
    (input: { post: Post; toMs: number }, idempotency_key) =>
      api.posts.update.mutate({
        post_id: input.post.id,
        patch: { scheduled_at: new Date(input.toMs).toISOString() },
        if_version: input.post.version,
        idempotency_key,
      }),
    {
      success: async (post) => {
        await client.invalidateQueries({ queryKey: ['posts'] });
        forget(post.id);
        tell('The post is moved', inWords(post.scheduled_at, zone));
      },
      failure: (error) => {
        setMoved(new Map());
        tellFailure('The post stays where it was', error, zone);
      },
    },
  );
  function move(post: Post, toMs: number): void {
    clearTimeout(resting.current);
    if (nudged.current !== post.id) nudged.current = null;
    if (toMs === Date.parse(post.scheduled_at)) {
      forget(post.id);
      return;
    }
    show(post.id, toMs);
    send.mutate({ post, toMs });
  }
  return {
    moved,
    move,
    nudge: (post, toMs) => {
      nudged.current = post.id;
      show(post.id, toMs);
      clearTimeout(resting.current);
      resting.current = setTimeout(() => move(post, toMs), nudgeRestMs);
    },
  };
}

function elementOf(postId: string): HTMLElement | null {
  return document.querySelector(`[data-post="${CSS.escape(postId)}"]`);
}

function inWords(at: string, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at));
}
