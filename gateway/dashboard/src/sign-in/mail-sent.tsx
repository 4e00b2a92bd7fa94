import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { configQuery } from '../api/queries.ts';
import { Notice } from '../ui/notice.tsx';
import { Frame } from './frame.tsx';

/** Says that a mail is on its way, and where to read it on a machine that sends none. */
export function MailSent({ to, children }: { to: string; children: ReactNode }) {
  const mails = useQuery(configQuery).data?.mails;
  return (
    <Frame title="Look into your mail" below={<Link to="/sign-in">Back to signing in</Link>}>
      <p>
        <span className="strong">{to}</span>: {children}
      </p>
      {mails === 'local' ? (
        <Notice tone="info">
          <span>
            This Perch sends no mail. It is on <Link to="/mails">the local mails page</Link>.
          </span>
        </Notice>
      ) : null}
      {mails === 'off' ? (
        <Notice tone="warn">This Perch can not send mail yet. Ask who runs it.</Notice>
      ) : null}
    </Frame>
  );
}
