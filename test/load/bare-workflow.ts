import { proxyActivities, sleep } from '@temporalio/workflow';

const { send } = proxyActivities<{ send(): Promise<number> }>({ startToCloseTimeout: '1m' });

/** The least that a scheduled post could be: a timer and one activity. */
export async function barePost(dueAtMs: number): Promise<number> {
  await sleep(Math.max(dueAtMs - Date.now(), 1));
  return send();
}
