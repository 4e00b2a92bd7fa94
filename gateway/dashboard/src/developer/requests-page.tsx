import type { LoggedRequest } from '@perch/proto/requests';
import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { keysQuery, requestsQuery } from '../api/queries.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { TableFrame } from '../ui/table-frame.tsx';
import { When } from '../ui/time.tsx';
import { DeveloperTabs } from './tabs.tsx';

/** The last hundred requests to the API, as they come in. */
export function RequestsPage() {
  return (
    <>
      <PageHead title="Developer">
        Your last 100 requests to the API; new ones appear by themselves.
      </PageHead>
      <DeveloperTabs />
      <section className="card card-flush">
        <Loaded query={useQuery(requestsQuery)}>
          {(requests) =>
            requests.length === 0 ? (
              <Empty icon={ScrollText} title="No request yet">
                The first call with one of your keys appears here within seconds.
              </Empty>
            ) : (
              <RequestTable requests={requests} />
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function RequestTable({ requests }: { requests: LoggedRequest[] }) {
  const keys = new Map(useQuery(keysQuery).data?.map(({ id, name }) => [id, name]));
  return (
    <TableFrame label="Requests">
      <table className="table">
        <thead>
          <tr>
            <th>Status</th>
            <th>Request</th>
            <th>Key</th>
            <th className="end">Took</th>
            <th>When</th>
            <th>Request id</th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <tr key={request.request_id}>
              <td>
                <span className={`badge ${toneOf(request.status)}`}>{request.status}</span>
              </td>
              <td style={{ minWidth: '15rem' }}>
                <code>
                  <strong>{request.method}</strong> {request.path}
                </code>
              </td>
              <td style={{ whiteSpace: 'nowrap' }}>{keys.get(request.key_id) ?? '–'}</td>
              <td className="end numeric" style={{ whiteSpace: 'nowrap' }}>
                {request.duration_ms} ms
              </td>
              <td style={{ whiteSpace: 'nowrap' }}>
                <When at={request.at} />
              </td>
              <td>
                <code className="tiny muted">{request.request_id}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function toneOf(status: number): string {
  if (status < 400) return 'tone-good';
  return status < 500 ? 'tone-warn' : 'tone-bad';
}
