import type { NewPost } from '@perch/proto/posts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Outputs } from '../api/client.ts';
import { rehearsalQuery } from '../api/queries.ts';

const restMs = 350;

/** What the server says of the draft, a moment after the last change; `stale` until it says it of this one. */
export function useRehearsal(post: NewPost | null): {
  rehearsal: Outputs['posts']['validate'] | undefined;
  stale: boolean;
  error: Error | null;
} {
  const asText = JSON.stringify(post);
  const [rested, setRested] = useState({ asText, post });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the post.
  useEffect(() => {
    const timer = setTimeout(() => setRested({ asText, post }), restMs);
    return () => clearTimeout(timer);
  }, [asText]);
  const query = useQuery(rehearsalQuery(rested.post));
  return {
    rehearsal: rested.post ? query.data : undefined,
    stale: rested.asText !== asText || query.isPlaceholderData,
    error: rested.post ? query.error : null,
  };
}
