import type { WebhookEndpoint } from '@perch/proto/webhooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { endpointsQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { NotFound } from '../shell/lost.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded } from '../ui/states.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';
import { NewSecret } from './create-endpoint.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeveloperTabs } from './tabs.tsx';
import { EndpointStatus } from './webhooks-page.tsx';

/** One webhook endpoint and the log of what was sent to it. */
export function EndpointPage() {
  const { endpointId } = getRouteApi('/inside/developer/webhooks/$endpointId').useParams();
  return (
    <Loaded query={useQuery(endpointsQuery)}>
      {(endpoints) => {
        const endpoint = endpoints.find(({ id }) => id === endpointId);
        return endpoint ? <Page endpoint={endpoint} /> : <NotFound />;
      }}
    </Loaded>
  );
}

function Page({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      <PageHead title="Webhook endpoint" actions={<EndpointStatus endpoint={endpoint} />}>
        <code>{endpoint.url}</code>
      </PageHead>
      <DeveloperTabs />
      {endpoint.disabled_reason ? (
        <Notice tone="bad">Perch has switched it off: {endpoint.disabled_reason}</Notice>
      ) : null}
      <section className="card stack">
        {endpoint.description ? <p>{endpoint.description}</p> : null}
        <p className="small muted">
          {endpoint.events ? `Hears of ${endpoint.events.join(', ')}.` : 'Hears of every event.'}
        </p>
        <Actions endpoint={endpoint} />
      </section>
      <Deliveries endpointId={endpoint.id} />
    </>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const endpoint_id = endpoint.id;
  const client = useQueryClient();
  const on = endpoint.status === 'enabled';
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: endpointsQuery.queryKey }),
      client.invalidateQueries({ queryKey: ['deliveries'] }),
    ]);
  const test = useOnce(
    (_: null, idempotency_key) => api.webhooks.test.mutate({ endpoint_id, idempotency_key }),
    {
      success: async () => {
        await refresh();
        tell('A test event is on its way', 'Its delivery is in the log below.');
      },
      failure: (error) => tellFailure('No test event was sent', error),
    },
  );
  const turn = useOnce(
    (status: WebhookEndpoint['status'], idempotency_key) =>
      api.webhooks.update.mutate({ endpoint_id, patch: { status }, idempotency_key }),
    { success: refresh, failure: (error) => tellFailure('Nothing was changed', error) },
  );
  return (
    <div className="row">
      <Button pending={test.isPending} disabled={!on} onClick={() => test.mutate(null)}>
        Send a test event
      </Button>
      <Rotate endpointId={endpoint_id} />
      <Button pending={turn.isPending} onClick={() => turn.mutate(on ? 'disabled' : 'enabled')}>
        {on ? 'Switch off' : 'Switch on'}
      </Button>
      <Remove endpoint={endpoint} />
    </div>
  );
}

function Rotate({ endpointId }: { endpointId: string }) {
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useOnce(
    (_: null, idempotency_key) =>
      api.webhooks.rotateSecret.mutate({ endpoint_id: endpointId, idempotency_key }),
    {
      success: (answer) => {
        setAsking(false);
        setSecret(answer.secret);
      },
      failure: (error) => tellFailure('The secret is the same as before', error),
    },
  );
  return (
    <>
      <Button onClick={() => setAsking(true)}>Rotate the secret</Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => rotate.mutate(null)}
        title="Rotate the signing secret?"
        action="Rotate"
        harmless
        pending={rotate.isPending}
      >
        <p>You get a new one. For a day deliveries are signed by both, so that you can switch.</p>
      </Confirm>
      <Dialog open={secret !== null} onClose={() => setSecret(null)} title="The new secret">
        <NewSecret secret={secret ?? ''} onDone={() => setSecret(null)} />
      </Dialog>
    </>
  );
}

function Remove({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const remove = useOnce(
    (_: null, idempotency_key) =>
      api.webhooks.remove.mutate({ endpoint_id: endpoint.id, idempotency_key }),
    {
      success: async () => {
        await navigate({ to: '/developer/webhooks' });
        await client.invalidateQueries({ queryKey: endpointsQuery.queryKey });
        tell('The endpoint is removed');
      },
      failure: (error) => tellFailure('The endpoint was not removed', error),
    },
  );
  return (
    <>
      <Button look="ghost" onClick={() => setAsking(true)}>
        Remove
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate(null)}
        title="Remove the endpoint?"
        action="Remove"
        pending={remove.isPending}
      >
        <p>Nothing is sent to it any more, and its delivery log goes with it.</p>
      </Confirm>
    </>
  );
}
