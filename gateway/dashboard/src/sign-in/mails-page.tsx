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
  return text.split(/(https?:\/\/\S+)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
    <Fragment key={index}>
      {part.startsWith(`${location.origin}/app/`) ? <a href={part}>{part}</a> : part}
    </Fragment>
  ));
}
