import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { sessionsQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/states.tsx';
import { TableFrame } from '../ui/table-frame.tsx';
import { Ago } from '../ui/time.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';
import { deviceOf } from './device.ts';

/** Where the user is signed in, and ending any of it. */
export function Sessions() {
  return (
    <section className="card card-flush">
      <div className="card-head">
        <div>
          <h2>Where you are signed in</h2>
          <p className="small muted">End what you do not know, and change your password then.</p>
        </div>
      </div>
      <Loaded query={useQuery(sessionsQuery)}>
        {(sessions) => (
          <TableFrame label="Sessions">
            <table className="table">
              <thead>
                <tr>
                  <th>Device</th>
                  <th>Address</th>
                  <th>Last seen</th>
                  <th>
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {sessions.map((session) => (
                  <tr key={session.id}>
                    <td style={{ minWidth: '9rem' }} title={session.user_agent}>
                      {deviceOf(session.user_agent)}
                    </td>
                    <td className="numeric">{session.ip}</td>
                    <td style={{ whiteSpace: 'nowrap' }}>
                      <Ago at={session.last_seen_at} />
                    </td>
                    <td className="end">
                      {session.current ? (
                        <span className="badge tone-accent">This one</span>
                      ) : (
                        <End sessionId={session.id} />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        )}
      </Loaded>
    </section>
  );
}

function End({ sessionId }: { sessionId: string }) {
  const client = useQueryClient();
  const end = useOnce((session_id: string) => api.auth.endSession.mutate({ session_id }), {
    success: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      tell('The session is ended');
    },
    failure: (error) => tellFailure('The session goes on', error),
  });
  return (
    <Button small pending={end.isPending} onClick={() => end.mutate(sessionId)}>
      End
    </Button>
  );
}
