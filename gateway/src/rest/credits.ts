import { Balance, EntriesPage, testBalance } from '@perch/proto/credits';
import { PageRequest } from '@perch/proto/pages';
import { Pricing } from '@perch/proto/posts';
import { z } from 'zod';
import { linkNext, type Operation, queryOf } from './operation.ts';

const tag = 'Credits';
const EntriesQuery = z.strictObject(PageRequest.shape);

/** Everything below `/credits` (seed §4). */
export const creditOperations: Operation[] = [
  {
    id: 'getCredits',
    method: 'GET',
    path: '/credits',
    tag,
    summary: 'Read the remaining credits and the prices',
    says: '`available` is `balance` less what posts that are being sent hold. With a test key nothing is ever charged, and the balance stays as it is.',
    scope: 'credits:read',
    status: 200,
    response: z.object({ ...Balance.shape, pricing: Pricing }).meta({ id: 'Credits' }),
    errors: [],
    async handle({ principal, clients }) {
      const { user_id, mode } = principal.tenant;
      const [balance, pricing] = await Promise.all([
        mode === 'test' ? testBalance : clients.credits.balance.query({ user_id }),
        clients.posts.pricing.query(),
      ]);
      return { ...balance, pricing };
    },
  },
  {
    id: 'listCreditEntries',
    method: 'GET',
    path: '/credits/entries',
    tag,
    summary: 'The ledger, newest first',
    says: 'Entries are never changed; they add up to `balance`.',
    scope: 'credits:read',
    query: EntriesQuery,
    status: 200,
    response: EntriesPage,
    errors: ['invalid_cursor'],
    links: {
      next: {
        to: 'listCreditEntries',
        says: 'The page after this one, where there is one.',
        parameters: { 'query.cursor': '$response.body#/next_cursor' },
      },
      post: {
        to: 'getPost',
        says: 'The post that was charged for.',
        parameters: { 'path.id': '$response.body#/data/0/post_id' },
      },
    },
    async handle(request) {
      const query = queryOf(EntriesQuery, request);
      const { user_id, mode } = request.principal.tenant;
      if (mode === 'test') return { data: [], has_more: false, next_cursor: null };
      const page = await request.clients.credits.entries.query({ user_id, ...query });
      linkNext(request, page);
      return page;
    },
  },
];
