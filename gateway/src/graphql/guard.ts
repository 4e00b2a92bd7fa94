import { getDirective, MapperKind, mapSchema } from '@graphql-tools/utils';
import { Fault, faultCodeOf, faultOf } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import { OperatorRole, Reason, roleCovers } from '@perch/proto/operators';
import { parseInput } from '@perch/proto/validation';
import {
  defaultFieldResolver,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import { z } from 'zod';
import type { Context } from './context.ts';

type FieldConfig = GraphQLFieldConfig<unknown, Context>;
type Resolve = GraphQLFieldResolver<unknown, Context>;

/** What every mutation takes, beside the one id of what it is done to. */
const Input = z.looseObject({ reason: Reason });

/**
 * Puts what the SDL says before every resolver: the role that `@requires` names, the audit log around mutations, and
 * no word of a bug to the caller. A field of a root type that names no role does not get past the start.
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.QUERY_ROOT_FIELD]: (field: FieldConfig, name) => {
      return { ...field, resolve: forRole(roleOf(schema, field, name), resolveOf(field, name)) };
    },
    [MapperKind.MUTATION_ROOT_FIELD]: (field: FieldConfig, name) => {
      const role = roleOf(schema, field, name);
      return { ...field, resolve: audited(name, forRole(role, resolveOf(field, name))) };
    },
    [MapperKind.SUBSCRIPTION_ROOT_FIELD]: (field: FieldConfig, name) => {
      const { subscribe } = field;
      if (!subscribe) throw new Error(`${name} can not be subscribed to`);
      return {
        ...field,
        subscribe: forRole(roleOf(schema, field, name), subscribe),
        resolve: resolveOf(field, name),
      };
    },
    [MapperKind.OBJECT_FIELD]: (field: FieldConfig, name) => {
      const role = requiredRole(schema, field);
      const resolve = resolveOf(field, name);
      return { ...field, resolve: forRole(role, resolve) };
    },
  });
}

function roleOf(schema: GraphQLSchema, field: FieldConfig, name: string): OperatorRole {
  const role = requiredRole(schema, field);
  if (role === null) throw new Error(`${name} does not say what role it requires`);
  return role;
}

function requiredRole(schema: GraphQLSchema, field: FieldConfig): OperatorRole | null {
  const directive = getDirective(schema, field, 'requires')?.[0];
  return directive ? OperatorRole.parse(directive['role']) : null;
}

/** The field's own resolver; else the member of that name, which proto writes in snake case. */
function resolveOf(field: FieldConfig, name: string): Resolve {
  if (field.resolve && field.resolve !== defaultFieldResolver) return field.resolve;
  const member = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return (source) => {
    if (typeof source !== 'object' || source === null) return undefined;
    return Object.entries(source).find(([key]) => key === member || key === name)?.[1];
  };
}

function forRole(role: OperatorRole | null, resolve: Resolve): Resolve {
  return async (source, args, context, info) => {
    if (role !== null && !roleCovers(context.actor.role, role)) {
      const detail = `${info.parentType.name}.${info.fieldName} is for the role ${role}`;
      throw new Fault('insufficient_role', { detail, required_role: role });
    }
    return masked(context, () => resolve(source, args, context, info));
  };
}

/** What is thrown is a fault that the caller may read, or goes to the log. */
async function masked<T>(context: Context, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error);
    if (fault && fault.code !== 'internal_error') throw fault;
    context.log.error({ err: error, requestId: context.requestId }, 'resolver failed by a bug');
    throw new Fault('internal_error');
  }
}

/** After these nobody knows whether it was done, and the log must not say that it failed. */
const undecided: ReadonlySet<string> = new Set(['outcome_unknown', 'client_closed_request']);

/** Written down before and after; what can not be written down before is not done. Refusals are written down, too. */
function audited(action: string, resolve: Resolve): Resolve {
  return async (source, args, context, info) => {
    const { actor, requestId: request_id, clients } = context;
    const { reason, ...input } = parseInput(Input, args['input']);
    const [subject] = Object.values(input);
    const { act_id } = await masked(context, () =>
      clients.operators.beginAct.mutate({
        ...{ actor, action, subject: String(subject), input, reason, request_id },
      }),
    );
    // With time of its own: the request may have none left, and whoever asked may have gone.
    const end = (code: string | null) =>
      withCall({ requestId: request_id, timeoutMs: limits.callTimeoutMs }, () =>
        clients.operators.endAct.mutate({ act_id, code }),
      ).catch((err: unknown) =>
        context.log.error(
          { err, requestId: request_id, act_id },
          'the end of an act is not written down',
        ),
      );
    try {
      const result: unknown = await resolve(source, { input: { ...input, reason } }, context, info);
      await end(null);
      return result;
    } catch (error) {
      const code = faultCodeOf(error) ?? 'internal_error';
      if (!undecided.has(code)) await end(code);
      throw error;
    }
  };
}
