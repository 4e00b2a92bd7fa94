import type { WebhookEventType } from '@perch/proto/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { endpointsQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { formText } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Secret } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

const eventWords: Record<WebhookEventType, string> = {
  'post.scheduled': 'A post was scheduled',
  'post.posted': 'A post went out',
  'post.failed': 'A post failed',
  'post.cancelled': 'A post was cancelled',
  'post.auto_replied': 'An auto-reply was sent',
  'post.auto_retweeted': 'A post was retweeted',
  'account.disconnected': 'An account was disconnected',
  'credits.low': 'Credits run low',
  'webhook_endpoint.disabled': 'An endpoint was switched off',
  'webhook.test': 'A test',
};
const allEvents = Object.keys(eventWords).filter(
  (event): event is WebhookEventType => event in eventWords,
);

/** Adds a webhook endpoint, and then shows its secret, this once. */
export function CreateEndpoint({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  function close(): void {
    onClose();
    setSecret(null);
  }
  return (
    <Dialog open={open} onClose={close} title={secret ? 'The secret' : 'Add an endpoint'}>
      {secret ? (
        <NewSecret secret={secret} onDone={close} />
      ) : (
        <EndpointForm onCreated={setSecret} onCancel={close} />
      )}
    </Dialog>
  );
}

/** A signing secret that is shown this once. */
export function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <div className="stack">
      <p className="muted">
        It verifies the signatures, as Standard Webhooks has it. Copy it now: it is not shown again.
      </p>
      <Secret value={secret} label="Signing secret" />
      <div className="dialog-actions">
        <Button look="primary" onClick={onDone}>
          I have copied it
        </Button>
      </div>
    </div>
  );
}

function EndpointForm(props: { onCreated: (secret: string) => void; onCancel: () => void }) {
  const client = useQueryClient();
  const create = useOnce(
    (endpoint: ReturnType<typeof endpointOf>, idempotency_key) =>
      api.webhooks.create.mutate({ endpoint, idempotency_key }),
    {
      success: async ({ secret }) => {
        props.onCreated(secret);
        await client.invalidateQueries({ queryKey: endpointsQuery.queryKey });
      },
    },
  );
  const { error } = create;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(endpointOf(new FormData(event.currentTarget)));
      }}
    >
      {error && !fieldError(error, 'url') ? <Notice tone="bad">{sentence(error)}</Notice> : null}
      <Field label="Address" error={fieldError(error, 'url')}>
        {(control) => (
          <input
            {...control}
            className="input"
            name="url"
            type="url"
            required
            maxLength={2_048}
            placeholder="https://example.com/webhooks/perch"
          />
        )}
      </Field>
      <Field label="Description" hint="Optional.">
        {(control) => <input {...control} className="input" name="description" maxLength={200} />}
      </Field>
      <fieldset className="stack-2">
        <legend className="label">Events</legend>
        <p className="field-hint">None chosen: all, those that Perch learns later too.</p>
        {allEvents.map((event) => (
          <label key={event} className="check">
            <input type="checkbox" name="events" value={event} />
            <span>
              {eventWords[event]} <code className="tiny muted">{event}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="dialog-actions">
        <Button onClick={props.onCancel}>Not now</Button>
        <Button type="submit" look="primary" pending={create.isPending}>
          Add the endpoint
        </Button>
      </div>
    </form>
  );
}

function endpointOf(form: FormData) {
  const events = allEvents.filter((event) => form.getAll('events').includes(event));
  return {
    url: formText(form, 'url'),
    description: formText(form, 'description'),
    events: events.length > 0 ? events : null,
  };
}
