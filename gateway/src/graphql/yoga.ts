import { Fault, type FaultCode, faultOf } from '@perch/proto/faults';
import { GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from './context.ts';
import { queryLimits, requireAffordable } from './query-cost.ts';
import { createSchema } from './schema.ts';

/** The GraphQL of operators: one operation a request, within limits, with our codes in every error. */
export function createOperatorsYoga(options: { introspection: boolean }) {
  return createYoga<Context>({
    schema: createSchema(),
    graphqlEndpoint: '/graphql',
    fetchAPI: { Request, Response, Headers, ReadableStream, TextEncoder, TextDecoder, URL },
    plugins: [bounds(options), requestIds],
    maskedErrors: { maskError },
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
  });
}

function bounds(options: { introspection: boolean }): Plugin {
  return {
    onParse: ({ params }) => {
      params.options = { ...params.options, maxTokens: queryLimits.tokens };
    },
    onValidate: ({ params, addValidationRule }) => {
      if (options.introspection) return;
      // Whoever may not read the schema is not helped to guess it, either.
      params.options = { ...params.options, hideSuggestions: true };
      addValidationRule(NoSchemaIntrospectionCustomRule);
    },
    onExecute: ({ args }) => requireAffordable(args),
    onSubscribe: ({ args }) => requireAffordable(args),
  };
}

/** So that whoever reads an error can ask for what the logs say. */
const requestIds: Plugin<object, Context> = {
  onResultProcess: ({ result, serverContext }) => {
    if (Symbol.asyncIterator in result) return;
    for (const { errors = [] } of Array.isArray(result) ? result : [result]) {
      for (const error of errors) error.extensions['request_id'] = serverContext.requestId;
    }
  },
};

/** An error as the caller may read it; what is wrong with the query itself is told as it is. */
function maskError(error: unknown): GraphQLError {
  const wrapped = error instanceof GraphQLError ? error : null;
  const fault = faultOf(wrapped ? wrapped.originalError : error);
  if (wrapped && !wrapped.originalError)
    return told(wrapped.message, { code: 'invalid_request' }, wrapped);
  const { code, message, details } = fault ?? new Fault('internal_error');
  const { detail: _, ...facts } = details;
  return told(message, { ...facts, code }, wrapped);
}

/** An error as GraphQL has it. */
export function told(
  message: string,
  extensions: { code: FaultCode } & Record<string, unknown>,
  at: GraphQLError | null = null,
): GraphQLError {
  return new GraphQLError(message, {
    ...(at?.nodes && { nodes: at.nodes }),
    ...(at?.source && { source: at.source }),
    ...(at?.positions && { positions: at.positions }),
    ...(at?.path && { path: at.path }),
    extensions,
  });
}
