import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Check, Minus } from 'lucide-react';
import { useState } from 'react';
import { api, type Outputs } from '../api/client.ts';
import { planQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded } from '../ui/states.tsx';
import { When } from '../ui/time.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';
import { Downgrade } from './downgrade.tsx';
import styles from './plan.module.css';

type Status = Outputs['plan']['get'];

/** What the user pays for, what the other plan brings, and the way there and back. */
export function PlanPage() {
  const { checkout } = getRouteApi('/inside/plan').useSearch();
  return (
    <>
      <PageHead title="Plan">Credits pay for posts; the plan decides what you can do.</PageHead>
      {checkout === 'done' ? (
        <Notice tone="good">
          Stripe took the payment. The plan changes here as soon as Stripe has told us, usually
          within a minute.
        </Notice>
      ) : null}
      {checkout === 'cancelled' ? (
        <Notice tone="info">The checkout was left. Nothing was charged.</Notice>
      ) : null}
      <Loaded
        query={useQuery({ ...planQuery, refetchInterval: checkout === 'done' ? 2_000 : false })}
      >
        {(status) => <Plans status={status} />}
      </Loaded>
    </>
  );
}

function Plans({ status }: { status: Status }) {
  const { monthly_credits: credits, plan } = status;
  return (
    <>
      <Standing status={status} />
      <div className="columns">
        <Card
          name="Free"
          current={plan === 'free'}
          credits={credits.free}
          features={[
            ['Compose and schedule here', true],
            ['Connect the sandbox and your accounts', true],
            ['REST API, keys and webhooks', false],
            ['Auto-reply and auto-retweet', false],
          ]}
        >
          {plan === 'paid' ? <Leave status={status} /> : null}
        </Card>
        <Card
          name="Paid"
          current={plan === 'paid'}
          credits={credits.paid}
          features={[
            ['Compose and schedule here', true],
            ['Connect the sandbox and your accounts', true],
            ['REST API, keys and webhooks', true],
            ['Auto-reply and auto-retweet', true],
          ]}
        >
          {plan === 'free' ? <Subscribe status={status} /> : null}
        </Card>
      </div>
      <TopUp status={status} />
    </>
  );
}

function Standing({ status }: { status: Status }) {
  if (status.source === 'demo')
    return (
      <Notice tone="warn">
        <span>
          <strong>Demo plan.</strong> This is the paid plan without paying, for trying Perch out on
          this machine. No card, no invoice.
        </span>
      </Notice>
    );
  if (status.ends_at)
    return (
      <Notice tone="warn">
        <span>
          Your subscription was cancelled and ends <When at={status.ends_at} year />.
        </span>
      </Notice>
    );
  if (status.renews_at)
    return (
      <p className="muted">
        Renews <When at={status.renews_at} year />.
      </p>
    );
  return null;
}

function Card(props: {
  name: string;
  current: boolean;
  credits: number;
  features: [string, boolean][];
  children: React.ReactNode;
}) {
  return (
    <section className={`card stack ${props.current ? styles['current'] : ''}`}>
      <div className="row-between">
        <h2>{props.name}</h2>
        {props.current ? <span className="badge tone-accent">Your plan</span> : null}
      </div>
      <p>
        <span className={styles['figure']}>{props.credits.toLocaleString('en')}</span>{' '}
        <span className="muted">credits a month</span>
      </p>
      <ul className="stack-2">
        {props.features.map(([feature, has]) => (
          <li key={feature} className={`row small ${has ? '' : 'muted'}`}>
            {has ? (
              <Check size={16} className={styles['has']} aria-label="Included:" />
            ) : (
              <Minus size={16} aria-label="Not included:" />
            )}
            {feature}
          </li>
        ))}
      </ul>
      {props.children}
    </section>
  );
}

function Subscribe({ status }: { status: Status }) {
  const refresh = useRefresh();
  const demo = useOnce(() => api.plan.activateDemoPlan.mutate(), {
    success: async () => {
      await refresh();
      tell('The demo plan is on', 'You have all of the paid plan now.');
    },
    failure: (error) => tellFailure('The demo plan was not activated', error),
  });
  const checkout = useOnce(() => api.plan.checkout.mutate(), {
    success: ({ url }) => location.assign(url),
    failure: (error) => tellFailure('The checkout could not be opened', error),
  });
  if (!status.stripe && !status.demo)
    return (
      <Notice tone="info">This Perch takes no payments. Ask who runs it for the paid plan.</Notice>
    );
  return (
    <div className="stack-2">
      {status.stripe ? (
        <Button
          look="primary"
          pending={checkout.isPending}
          onClick={() => checkout.mutate(undefined)}
        >
          Subscribe with Stripe
        </Button>
      ) : null}
      {status.demo ? (
        <>
          <Button
            look={status.stripe ? 'plain' : 'primary'}
            pending={demo.isPending}
            onClick={() => demo.mutate(undefined)}
          >
            Activate demo plan
          </Button>
          <p className="tiny muted">
            Demo: nothing is charged. Only a Perch on one machine offers this.
          </p>
        </>
      ) : null}
    </div>
  );
}

function Leave({ status }: { status: Status }) {
  const [asking, setAsking] = useState(false);
  const portal = useOnce(() => api.plan.portal.mutate(), {
    success: ({ url }) => location.assign(url),
    failure: (error) => tellFailure('Stripe’s page could not be opened', error),
  });
  if (status.source === 'stripe')
    return (
      <div className="row">
        <Button pending={portal.isPending} onClick={() => portal.mutate(undefined)}>
          Manage in Stripe
        </Button>
        <Button look="ghost" onClick={() => setAsking(true)}>
          What cancelling means
        </Button>
        <Downgrade open={asking} onClose={() => setAsking(false)} demo={false} />
      </div>
    );
  if (status.source !== 'demo')
    return <p className="small muted">Your plan was set by who runs this Perch.</p>;
  return (
    <div>
      <Button onClick={() => setAsking(true)}>Go back to the free plan</Button>
      <Downgrade open={asking} onClose={() => setAsking(false)} demo />
    </div>
  );
}

function TopUp({ status }: { status: Status }) {
  const refresh = useRefresh();
  const demo = useOnce(
    (_: null, idempotency_key) => api.plan.demoTopUp.mutate({ idempotency_key }),
    {
      success: async () => {
        await refresh();
        tell(`${status.top_up_credits.toLocaleString('en')} demo credits added`);
      },
      failure: (error) => tellFailure('No credits were added', error),
    },
  );
  const stripe = useOnce((_: null, idempotency_key) => api.plan.topUp.mutate({ idempotency_key }), {
    success: ({ url }) => location.assign(url),
    failure: (error) => tellFailure('The checkout could not be opened', error),
  });
  if (!status.stripe_top_up && !status.demo) return null;
  const credits = status.top_up_credits.toLocaleString('en');
  return (
    <section className="card row-between">
      <div>
        <h2>Need more credits?</h2>
        <p className="small muted">A top-up adds {credits} credits. They do not run out.</p>
      </div>
      <div className="row">
        {status.stripe_top_up ? (
          <Button pending={stripe.isPending} onClick={() => stripe.mutate(null)}>
            Buy {credits} credits
          </Button>
        ) : null}
        {status.demo ? (
          <Button pending={demo.isPending} onClick={() => demo.mutate(null)}>
            Add {credits} demo credits
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** Reads again what a change of plan or credits changes. */
function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      ['plan', 'session', 'credits'].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
}
