import type { WebhookDelivery } from '@perch/proto/webhooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { deliveriesQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Code } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { TableFrame } from '../ui/table-frame.tsx';
import { Ago, When } from '../ui/time.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';

const tones: Record<WebhookDelivery['status'], string> = {
  pending: 'tone-warn',
  delivered: 'tone-good',
  failed: 'tone-bad',
};
const filters: { value: WebhookDelivery['status'] | undefined; label: string }[] = [
  { value: undefined, label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
];

/** The log of what was sent to an endpoint; each line opens to its attempts and its payload. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const [status, setStatus] = useState<WebhookDelivery['status']>();
  const [shown, setShown] = useState<string | null>(null);
  const query = useInfiniteQuery(
    deliveriesQuery({ endpoint_id: endpointId, ...(status && { status }) }),
  );
  const deliveries = query.data?.pages.flatMap((page) => page.data) ?? [];
  const delivery = deliveries.find(({ id }) => id === shown);
  return (
    <section className="card card-flush">
      <div className="card-head">
        <h2>Deliveries</h2>
        <div className="choices">
          {filters.map(({ value, label }) => (
            <button
              key={label}
              type="button"
              aria-pressed={status === value}
              onClick={() => setStatus(value)}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      {query.isPending ? <Loading /> : null}
      {query.isError ? <Failed error={query.error} /> : null}
      {query.isSuccess && deliveries.length === 0 ? (
        <Empty icon={Send} title="Nothing was sent">
          Send a test event, or wait for the first post.
        </Empty>
      ) : null}
      {deliveries.length > 0 ? <DeliveryTable deliveries={deliveries} onShow={setShown} /> : null}
      {query.hasNextPage ? (
        <div className="card-head">
          <Button pending={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
      <Dialog open={delivery !== undefined} onClose={() => setShown(null)} title="Delivery" wide>
        {delivery ? <Details delivery={delivery} /> : null}
      </Dialog>
    </section>
  );
}

function DeliveryTable(props: { deliveries: WebhookDelivery[]; onShow: (id: string) => void }) {
  return (
    <TableFrame label="Deliveries">
      <table className="table">
        <thead>
          <tr>
            <th>Event</th>
            <th>Status</th>
            <th>Answer</th>
            <th>When</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <td>
                <code>{delivery.type}</code>
              </td>
              <td>
                <span className={`badge ${tones[delivery.status]}`}>{delivery.status}</span>
              </td>
              <td className="numeric">{answerOf(delivery.attempts.at(-1))}</td>
              <td style={{ whiteSpace: 'nowrap' }}>
                <Ago at={delivery.created_at} />
              </td>
              <td className="end">
                <div className="row" style={{ flexWrap: 'nowrap', justifyContent: 'flex-end' }}>
                  <Button small onClick={() => props.onShow(delivery.id)}>
                    Look
                  </Button>
                  <Replay deliveryId={delivery.id} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Details({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <div className="stack">
      <dl className="facts">
        <dt>Event</dt>
        <dd>
          <code>{delivery.type}</code>
        </dd>
        <dt>webhook-id</dt>
        <dd>
          <code>{delivery.event_id}</code>
        </dd>
      </dl>
      <div className="stack-2">
        <h3>Attempts</h3>
        <ol className="stack-2 small">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.at} className="row-between">
              <When at={attempt.at} />
              <span className="numeric">
                {answerOf(attempt)} · {attempt.duration_ms} ms
              </span>
            </li>
          ))}
          {delivery.attempts.length === 0 ? <li className="muted">None yet.</li> : null}
        </ol>
      </div>
      <div className="stack-2">
        <h3>Payload</h3>
        <Code label="Payload">{JSON.stringify(delivery.payload, null, 2)}</Code>
      </div>
    </div>
  );
}

function Replay({ deliveryId }: { deliveryId: string }) {
  const client = useQueryClient();
  const replay = useOnce(
    (delivery_id: string, idempotency_key) =>
      api.webhooks.replay.mutate({ delivery_id, idempotency_key }),
    {
      success: async () => {
        await client.invalidateQueries({ queryKey: ['deliveries'] });
        tell('It is being sent again');
      },
      failure: (error) => tellFailure('It was not sent again', error),
    },
  );
  return (
    <Button small pending={replay.isPending} onClick={() => replay.mutate(deliveryId)}>
      Replay
    </Button>
  );
}

function answerOf(attempt: WebhookDelivery['attempts'][number] | undefined): string {
  if (!attempt) return '–';
  return attempt.status_code === null
    ? (attempt.error ?? 'no answer')
    : String(attempt.status_code);
}
