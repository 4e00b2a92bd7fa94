import type { Post } from '@perch/proto/posts';
import { useQueryClient } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { sentence } from '../api/failure.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { onClockOf } from '../ui/time.tsx';
import { tell } from '../ui/toasts.tsx';
import { fromField, toField } from './local-calendar.ts';

/** Moves a post to a time that is typed: what dragging does, for everyone. */
export function Reschedule({ post, zone }: { post: Post; zone: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <CalendarClock aria-hidden="true" /> Move
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Move the post">
        <MoveForm post={post} zone={zone} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function MoveForm({ post, zone, onDone }: { post: Post; zone: string; onDone: () => void }) {
  const client = useQueryClient();
  const [value, setValue] = useState(() => toField(Date.parse(post.scheduled_at), zone));
  const move = useOnce(
    (scheduled_at: string, idempotency_key) =>
      api.posts.update.mutate({
        post_id: post.id,
        patch: { scheduled_at },
        if_version: post.version,
        idempotency_key,
      }),
    {
      success: async () => {
        await client.invalidateQueries({ queryKey: ['posts'] });
        onDone();
        tell('The post is moved');
      },
    },
  );
  const atMs = fromField(value, zone);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (atMs !== null) move.mutate(new Date(atMs).toISOString());
      }}
    >
      {move.isError ? <Notice tone="bad">{onClockOf(zone, sentence(move.error))}</Notice> : null}
      <Field label="New time" hint={`On the account’s clock, ${zone.replaceAll('_', ' ')}.`}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="datetime-local"
            required
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <div className="dialog-actions">
        <Button onClick={onDone}>Not now</Button>
        <Button type="submit" look="primary" pending={move.isPending}>
          Move it
        </Button>
      </div>
    </form>
  );
}
