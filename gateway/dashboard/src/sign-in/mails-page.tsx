import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { Fragment } from 'react';
import { mailsQuery } from '../api/queries.ts';
import { Logo } from '../shell/logo.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import styles from './mails.module.css';

/** The mails of a Perch on one machine, which sends none: its sign-up and password links. */
export function MailsPage() {
  return (
    <div className={styles['page']}>
      <header className="row-between">
        <Logo />
        <Link to="/sign-in">Sign in</Link>
      </header>
      <main className="stack-5">
        <PageHead title="Local mails">
          This Perch runs on one machine and sends no mail. What it would have sent is here.
        </PageHead>
        <Loaded query={useQuery(mailsQuery)}>
          {(mails) =>
            mails.length === 0 ? (
              <div className="card">
                <Empty icon={Mail} title="No mail yet">
                  Sign up, or ask for a new password, and the mail appears here.
                </Empty>
              </div>
            ) : (
              <ul className="stack">
                {mails.map((mail) => (
                  <li key={mail.id}>
                    <article className="card stack" aria-label={mail.subject}>
                      <div className="row-between">
                        <h2>{mail.subject}</h2>
                        <span className="small muted">
                          <Ago at={mail.created_at} />
                        </span>
                      </div>
                      <p className="small muted">To {mail.to}</p>
                      <p className="pre-wrap">
                        <OwnLinks text={mail.text} />
                      </p>
                    </article>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </main>
    </div>
  );
}

/** The text with links to this very Perch made links; any other stays text. */
function OwnLinks({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => {
    const path = ownPath(part);
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
    return <Fragment key={index}>{path === null ? part : <a href={path}>{part}</a>}</Fragment>;
  });
}

/** Where in this app an address leads; null for another site. One machine has more than one name. */
function ownPath(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { hostname, port, pathname, hash } = new URL(address);
  const here = [location.hostname, 'localhost', '127.0.0.1'].includes(hostname);
  return here && port === location.port && pathname.startsWith('/app/') ? pathname + hash : null;
}
