import type { WebhookEndpoint } from '@perch/proto/webhooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { endpointsQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { TableFrame } from '../ui/table-frame.tsx';
import { CreateEndpoint } from './create-endpoint.tsx';
import { DeveloperTabs } from './tabs.tsx';

/** The webhook endpoints. */
export function WebhooksPage() {
  const [creating, setCreating] = useState(false);
  return (
    <>
      <PageHead
        title="Developer"
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" /> Add an endpoint
          </Button>
        }
      >
        Webhooks tell your server what becomes of posts, signed and until it answers.
      </PageHead>
      <DeveloperTabs />
      <section className="card card-flush">
        <Loaded query={useQuery(endpointsQuery)}>
          {(endpoints) =>
            endpoints.length === 0 ? (
              <Empty icon={Webhook} title="No endpoint yet">
                Add the address of your server, and Perch tells it when a post goes out, fails or is
                answered.
              </Empty>
            ) : (
              <EndpointTable endpoints={endpoints} />
            )
          }
        </Loaded>
      </section>
      <CreateEndpoint open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function EndpointTable({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  return (
    <TableFrame label="Webhook endpoints">
      <table className="table">
        <thead>
          <tr>
            <th>Address</th>
            <th>Events</th>
            <th>Status</th>
          </tr>
        </thead>
        <tbody>
          {endpoints.map((endpoint) => (
            <tr key={endpoint.id}>
              <td style={{ minWidth: '14rem' }}>
                <Link to="/developer/webhooks/$endpointId" params={{ endpointId: endpoint.id }}>
                  <code>{endpoint.url}</code>
                </Link>
                {endpoint.description ? (
                  <div className="tiny muted">{endpoint.description}</div>
                ) : null}
              </td>
              <td style={{ whiteSpace: 'nowrap' }}>
                {endpoint.events ? `${endpoint.events.length} kinds` : 'All'}
              </td>
              <td>
                <EndpointStatus endpoint={endpoint} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** Whether events are sent to the endpoint. */
export function EndpointStatus({ endpoint }: { endpoint: Pick<WebhookEndpoint, 'status'> }) {
  return endpoint.status === 'enabled' ? (
    <span className="badge tone-good">On</span>
  ) : (
    <span className="badge tone-bad">Off</span>
  );
}
