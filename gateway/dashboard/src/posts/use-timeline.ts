import type { Post, PostEvent } from '@perch/proto/posts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { postQuery } from '../api/queries.ts';

/** The events of a post as they happen; the post itself is read again with each. */
export function useTimeline(post_id: Post['id']): { events: PostEvent[]; live: boolean } {
  const client = useQueryClient();
  const [events, setEvents] = useState<PostEvent[]>([]);
  const [live, setLive] = useState(false);
  useEffect(() => {
    setEvents([]);
    const subscription = api.posts.events.subscribe(
      { post_id },
      {
        onData: ({ data }) => {
          // A browser that comes back may be told again what it has.
          setEvents((old) => (old.some(({ id }) => id === data.id) ? old : [...old, data]));
          client
            .invalidateQueries({ queryKey: postQuery(post_id).queryKey })
            .catch(() => undefined);
        },
        onConnectionStateChange: ({ state }) => setLive(state === 'pending'),
        onError: () => setLive(false),
      },
    );
    return () => subscription.unsubscribe();
  }, [post_id, client]);
  return { events, live };
}
