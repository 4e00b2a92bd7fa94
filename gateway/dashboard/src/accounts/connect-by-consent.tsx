import type { PlatformInfo } from '@perch/proto/connections';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { sentence } from '../api/failure.ts';
import { connectionQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { formText } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ConnectByPassword } from './connect-by-password.tsx';
import type { ConnectProps } from './connect-dialog.tsx';
import { browserZone } from './connect-sandbox.tsx';
import { platformNames } from './platform-names.ts';
import { ServerField } from './server-field.tsx';

/** Connects by the platform's own consent page, in a tab of its own; this one waits for its end. */
export function ConnectByConsent(props: ConnectProps & { info: PlatformInfo }) {
  const { info } = props;
  const [link, setLink] = useState<{ ticket: string; url: string } | null>(null);
  const [byPassword, setByPassword] = useState(false);
  const begin = useOnce(
    (server: string | null) =>
      api.accounts.connect.mutate({
        platform: info.platform,
        server,
        settings: { time_zone: browserZone() },
      }),
    { success: setLink },
  );
  if (byPassword) return <ConnectByPassword {...props} />;
  if (link) return <Waiting {...props} link={link} onAgain={() => setLink(null)} />;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate(formText(new FormData(event.currentTarget), 'server').trim() || null);
      }}
    >
      <p className="muted">
        {platformNames[info.platform]} asks you whether Perch may post for you. Perch never sees
        your password.
      </p>
      {begin.isError ? <Notice tone="bad">{sentence(begin.error)}</Notice> : null}
      <ServerField info={info} error={begin.error} />
      {info.sign_in ? (
        <div>
          <Button look="ghost" small onClick={() => setByPassword(true)}>
            Use an app password instead
          </Button>
        </div>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={props.onBack}>Back</Button>
        <Button type="submit" look="primary" pending={begin.isPending}>
          Go on
        </Button>
      </div>
    </form>
  );
}

function Waiting(
  props: ConnectProps & {
    info: PlatformInfo;
    link: { ticket: string; url: string };
    onAgain: () => void;
  },
) {
  const { link, onConnected } = props;
  const name = platformNames[props.info.platform];
  const state = useQuery(connectionQuery(link.ticket)).data;
  const account = state?.status === 'connected' ? state.account : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as there is an account.
  useEffect(() => {
    if (account) onConnected(account).catch(() => undefined);
  }, [account?.account_id]);
  if (state?.status === 'failed' || state?.status === 'expired')
    return (
      <div className="stack">
        <Notice tone="bad">
          {state.failure ?? 'It took too long, and the link is not valid any more.'}
        </Notice>
        <div className="dialog-actions">
          <Button look="primary" onClick={props.onAgain}>
            Try again
          </Button>
        </div>
      </div>
    );
  return (
    <div className="stack">
      <p className="muted">Go on at {name} in a new tab. This one notices when you are done.</p>
      <a className="button button-primary" href={link.url} target="_blank" rel="noopener">
        Open {name} <ExternalLink aria-hidden="true" />
      </a>
      <p className="row small muted" role="status">
        <span className="spinner" aria-hidden="true" />
        {state?.status === 'begun' ? `Waiting for your consent at ${name}` : 'Waiting for you'}
      </p>
    </div>
  );
}
