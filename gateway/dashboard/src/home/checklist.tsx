import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  accountsQuery,
  configQuery,
  keysQuery,
  requestsQuery,
  sessionQuery,
} from '../api/queries.ts';
import { accountsCurl, postCurl } from '../developer/curl.ts';
import { isActive } from '../developer/key-state.ts';
import { Code } from '../ui/copy.tsx';
import { useNow } from '../ui/now.tsx';
import styles from './home.module.css';

interface Step {
  title: string;
  done: boolean;
  body: ReactNode;
}

/** The set-up in the seed's order (seed §1); it goes away when all is done. */
export function Checklist() {
  const steps = useSteps();
  if (!steps || steps.every(({ done }) => done)) return null;
  const next = steps.findIndex(({ done }) => !done);
  return (
    <section className="card card-flush">
      <div className="card-head">
        <div>
          <h2>Get set up</h2>
          <p className="small muted">From here to your first post by the API, in five steps.</p>
        </div>
        <span className="small muted numeric">
          {steps.filter(({ done }) => done).length} of {steps.length} done
        </span>
      </div>
      <ol>
        {steps.map(({ title, done, body }, index) => (
          <li key={title} className={`${styles['step']} ${done ? styles['done'] : ''}`}>
            <span className={styles['mark']} data-done={done} data-next={index === next}>
              {done ? <Check size={14} aria-label="Done" /> : index + 1}
            </span>
            <h3>{title}</h3>
            {index === next ? <div className={styles['body']}>{body}</div> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

function useSteps(): Step[] | null {
  const nowMs = useNow();
  const user = useQuery(sessionQuery).data?.user;
  const accounts = useQuery(accountsQuery).data;
  const keys = useQuery(keysQuery).data;
  const calls = useQuery(requestsQuery).data;
  const config = useQuery(configQuery).data;
  if (!user || !accounts || !keys || !calls || !config) return null;
  const called = (method: string, path: string) =>
    calls.some((call) => call.method === method && call.path.endsWith(path) && call.status < 300);
  return [
    {
      title: 'Go to the paid plan',
      done: user.plan === 'paid',
      body: (
        <Lead to="/plan" action="See the plans">
          The API, auto-reply and auto-retweet come with it. Composing and scheduling here is free.
        </Lead>
      ),
    },
    {
      title: 'Connect an account',
      done: accounts.length > 0,
      body: (
        <Lead to="/accounts" action="Connect an account">
          The sandbox needs no credentials, and shows what would be posted.
        </Lead>
      ),
    },
    {
      title: 'Create an API key',
      done: keys.some((key) => isActive(key, nowMs)),
      body: (
        <Lead to="/developer" action="Create a key">
          Its secret is shown once. Keep it where your program finds it.
        </Lead>
      ),
    },
    {
      title: 'Call the accounts endpoint',
      done: called('GET', '/accounts') || called('POST', '/posts'),
      body: (
        <>
          <p className="small muted">It answers the account_id that posts are made with.</p>
          <Code label="List accounts">{accountsCurl(config.api_url)}</Code>
        </>
      ),
    },
    {
      title: 'Send a post',
      done: called('POST', '/posts'),
      body: (
        <>
          <p className="small muted">This one goes out at once.</p>
          <Code label="Create a post">
            {postCurl(config.api_url, accounts[0]?.account_id ?? 'acc_…')}
          </Code>
        </>
      ),
    },
  ];
}

function Lead(props: {
  to: '/plan' | '/accounts' | '/developer';
  action: string;
  children: ReactNode;
}) {
  return (
    <>
      <p className="small muted">{props.children}</p>
      <div>
        <Link to={props.to} className="button button-primary">
          {props.action}
        </Link>
      </div>
    </>
  );
}
