import { expect, test } from 'vitest';
import { judgeCharge } from './charge.ts';

test.for([
  ['posted', 'captured', 'right'],
  ['posted', 'held', 'capture'],
  ['posted', 'released', 'posted_uncharged'],
  ['posted', null, 'posted_uncharged'],
  ['failed', null, 'right'],
  ['failed', 'released', 'right'],
  ['failed', 'held', 'release'],
  ['failed', 'captured', 'charged_unposted'],
] as const)('a %s post whose credits are %s: %s', ([status, hold, verdict]) => {
  expect(judgeCharge(status, hold)).toBe(verdict);
});
