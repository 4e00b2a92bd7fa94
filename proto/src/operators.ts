import { z } from 'zod';
import { ActId, OperatorId } from './ids.ts';
import { PageRequest, pageOf } from './pages.ts';
import { type Call, procedure, router } from './rpc.ts';
import { StorableText } from './text.ts';

/** What an operator may do; each role may do all that those before it may. */
export const OperatorRole = z.enum(['viewer', 'support', 'admin']);
export type OperatorRole = z.infer<typeof OperatorRole>;

/** Whether someone with the one role may do what needs the other. */
export function roleCovers(role: OperatorRole, needed: OperatorRole): boolean {
  return OperatorRole.options.indexOf(role) >= OperatorRole.options.indexOf(needed);
}

/** Who acts: an operator with a token of ours, or someone that the identity provider vouches for. */
export const Actor = z.object({
  id: z.string().max(300).describe('The id of an operator, or `oidc:` and the subject.'),
  name: z.string().max(300),
  role: OperatorRole,
});
export type Actor = z.infer<typeof Actor>;

/** An operator with a token, without its secret. */
export const Operator = z.object({
  id: OperatorId,
  name: z.string(),
  role: OperatorRole,
  hint: z.string().describe('The beginning and the last four characters of the secret.'),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe('To the minute.'),
  revoked_at: z.iso.datetime().nullable(),
});
export type Operator = z.infer<typeof Operator>;

/** Why something is done; whoever reads the audit log must understand it. */
export const Reason = StorableText.trim().min(1).max(500);

/** What is written down before a mutation is made. */
export const NewAct = z.object({
  actor: Actor,
  action: z.string().max(100).describe('The name of the mutation.'),
  subject: z.string().max(300).describe('The id of what it is done to.'),
  input: z.record(z.string(), z.unknown()),
  reason: Reason,
  request_id: z.string().max(100),
});
export type NewAct = z.infer<typeof NewAct>;

/** How an act ended, written down after it: without a code it was done. */
export const ActEnd = z.object({
  act_id: ActId,
  code: z.string().max(100).nullable().describe('The code of the fault; null: it was done.'),
});

/** An act as the audit log has it. */
export const Act = z.object({
  id: ActId,
  ...NewAct.shape,
  at: z.iso.datetime(),
  outcome: z
    .enum(['done', 'failed', 'unknown'])
    .describe('`unknown`: its end was never written down; it may or may not be done.'),
  code: z.string().nullable(),
  ended_at: z.iso.datetime().nullable(),
});
export type Act = z.infer<typeof Act>;

/** A page of the audit log, newest first. */
export const ActsPage = pageOf(Act);

const NewOperator = z.object({ name: StorableText.trim().min(1).max(80), role: OperatorRole });
const CreatedOperator = z.object({
  operator: Operator,
  secret: z.string().describe('Shown this once only.'),
});
const OneOperator = z.object({ operator_id: OperatorId });
const ActFilter = z.object({
  actor_id: z.string().optional(),
  subject: z.string().optional(),
  ...PageRequest.shape,
});

/** Who operates Perch, and the log of what they did; served by accounts. */
export interface Operators {
  /** A new operator with a token. */
  create(input: z.output<typeof NewOperator>, call: Call): Promise<z.infer<typeof CreatedOperator>>;
  /** All operators with a token, newest first, revoked ones too. */
  list(call: Call): Promise<Operator[]>;
  /** Revokes at once; revoking again changes nothing. `not_found`. */
  revoke(input: z.output<typeof OneOperator>, call: Call): Promise<Operator>;
  /** Whom a token stands for. `invalid_operator_token` for any bad one. */
  authenticate(input: { secret: string }, call: Call): Promise<Actor>;
  /** Writes down what is about to be done; nothing may be done that is not written down. */
  beginAct(input: z.output<typeof NewAct>, call: Call): Promise<{ act_id: string }>;
  /** Writes down how it ended. */
  endAct(input: z.output<typeof ActEnd>, call: Call): Promise<void>;
  acts(input: z.output<typeof ActFilter>, call: Call): Promise<z.infer<typeof ActsPage>>;
}

/** The wire form of {@link Operators}. */
export const operatorsRouter = (operators: Operators) =>
  router({
    create: procedure
      .input(NewOperator)
      .output(CreatedOperator)
      .mutation(({ input, ctx }) => operators.create(input, ctx)),
    list: procedure.output(z.array(Operator)).query(({ ctx }) => operators.list(ctx)),
    revoke: procedure
      .input(OneOperator)
      .output(Operator)
      .mutation(({ input, ctx }) => operators.revoke(input, ctx)),
    authenticate: procedure
      .input(z.object({ secret: z.string().max(512) }))
      .output(Actor)
      .query(({ input, ctx }) => operators.authenticate(input, ctx)),
    beginAct: procedure
      .input(NewAct)
      .output(z.object({ act_id: ActId }))
      .mutation(({ input, ctx }) => operators.beginAct(input, ctx)),
    endAct: procedure.input(ActEnd).mutation(({ input, ctx }) => operators.endAct(input, ctx)),
    acts: procedure
      .input(ActFilter)
      .output(ActsPage)
      .query(({ input, ctx }) => operators.acts(input, ctx)),
  });
export type OperatorsRouter = ReturnType<typeof operatorsRouter>;
