import type { Billing } from '@perch/proto/billing';
import { activateDemoPlan, demoTopUp, endDemoPlan } from './demo.ts';
import type { BillingDeps } from './deps.ts';
import { downgradeOf, status } from './status.ts';
import { stripeEvent } from './stripe-event.ts';
import { checkout, portal, topUp } from './stripe-pages.ts';

/** Plans and what is paid, over its dependencies. */
export function createBilling(deps: BillingDeps): Billing {
  return {
    status: (input) => status(deps, input),
    previewDowngrade: (input) => downgradeOf(deps, input),
    checkout: (input) => checkout(deps, input),
    portal: (input) => portal(deps, input),
    topUp: (input) => topUp(deps, input),
    activateDemoPlan: (input) => activateDemoPlan(deps, input),
    endDemoPlan: (input) => endDemoPlan(deps, input),
    demoTopUp: (input) => demoTopUp(deps, input),
    stripeEvent: (input) => stripeEvent(deps, input),
  };
}
