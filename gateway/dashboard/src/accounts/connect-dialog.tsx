import type { PlatformName } from '@perch/proto/accounts';
import type { PlatformInfo } from '@perch/proto/connections';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { accountsQuery, platformsQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tell } from '../ui/toasts.tsx';
import styles from './accounts.module.css';
import { ConnectByConsent } from './connect-by-consent.tsx';
import { ConnectByPassword } from './connect-by-password.tsx';
import { ConnectSandbox } from './connect-sandbox.tsx';
import { platformNames } from './platform-names.ts';

/** What a form that connects an account is given. */
export interface ConnectProps {
  onConnected: (account: { account_id: string; handle: string }) => Promise<void>;
  onBack: () => void;
}

/** Connects an account: first on which platform, then as that platform wants it. */
export function ConnectDialog(props: {
  open: boolean;
  onClose: () => void;
  /** To begin with; else it is chosen. */
  platform?: PlatformName;
}) {
  const [platform, setPlatform] = useState<PlatformName | null>(props.platform ?? null);
  const platforms = useQuery({ ...platformsQuery, enabled: props.open }).data ?? [];
  const info = platforms.find((one) => one.platform === platform);
  const client = useQueryClient();
  const navigate = useNavigate();
  function close(): void {
    props.onClose();
    setPlatform(props.platform ?? null);
  }
  const form: ConnectProps = {
    onBack: () => setPlatform(null),
    onConnected: async ({ account_id, handle }) => {
      await client.invalidateQueries({ queryKey: accountsQuery.queryKey });
      close();
      tell(`@${handle} is connected`, 'Check its time zone and its window.');
      await navigate({ to: '/accounts/$accountId', params: { accountId: account_id } });
    },
  };
  return (
    <Dialog
      open={props.open}
      onClose={close}
      title={platform ? `Connect ${platformNames[platform]}` : 'Connect an account'}
    >
      {platform === null ? <Choice platforms={platforms} onChoose={setPlatform} /> : null}
      {platform === 'sandbox' ? <ConnectSandbox {...form} /> : null}
      {info?.consent ? <ConnectByConsent key={info.platform} {...form} info={info} /> : null}
      {info && !info.consent && info.sign_in ? <ConnectByPassword {...form} info={info} /> : null}
    </Dialog>
  );
}

function Choice(props: { platforms: PlatformInfo[]; onChoose: (platform: PlatformName) => void }) {
  return (
    <ul className="stack-2">
      <li>
        <Platform
          platform="sandbox"
          hint="Needs no credentials, and shows what would be posted."
          onChoose={props.onChoose}
        />
      </li>
      {props.platforms.map(({ platform, set_up, how }) => (
        <li key={platform}>
          <Platform
            platform={platform}
            hint={set_up ? null : `Not set up here. ${how}`}
            disabled={!set_up}
            onChoose={props.onChoose}
          />
        </li>
      ))}
    </ul>
  );
}

function Platform(props: {
  platform: PlatformName;
  hint: string | null;
  disabled?: boolean;
  onChoose: (platform: PlatformName) => void;
}) {
  return (
    <Button
      className={styles['platform'] ?? ''}
      disabled={props.disabled === true}
      onClick={() => props.onChoose(props.platform)}
    >
      <span className="grow">
        <span className="strong">{platformNames[props.platform]}</span>
        {props.hint ? <span className="small muted">{props.hint}</span> : null}
      </span>
      <ChevronRight aria-hidden="true" />
    </Button>
  );
}
