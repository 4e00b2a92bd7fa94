import { Fault, type FaultCode, faultOf, faults } from '@perch/proto/faults';
import type { Logger } from '@perch/proto/process';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  type ValidationRule,
  validate,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from './context.ts';
import { queryLimits, requireAffordable } from './query-cost.ts';
import { createSchema } from './schema.ts';

/** The GraphQL of operators: one operation a request, within limits, with our codes in every error. */
export function createOperatorsYoga(options: { introspection: boolean; log: Logger }) {
  return createYoga<Context>({
    schema: createSchema(),
    graphqlEndpoint: '/graphql',
    fetchAPI: { Request, Response, Headers, ReadableStream, TextEncoder, TextDecoder, URL },
    plugins: [bounds(options), codes],
    maskedErrors: { maskError: (error) => masked(options.log, error) },
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
    onParse: ({ setParseFn }) => {
      setParseFn((source: string) => parse(source, { maxTokens: queryLimits.tokens }));
    },
    onValidate: ({ addValidationRule, setValidationFn }) => {
      if (options.introspection) return;
      addValidationRule(NoSchemaIntrospectionCustomRule);
      // Whoever may not read the schema is not helped to guess it, either.
      const quietly = { hideSuggestions: true };
      setValidationFn((schema: GraphQLSchema, document: DocumentNode, rules: ValidationRule[]) =>
        validate(schema, document, rules, quietly),
      );
    },
    onExecute: ({ args }) => requireAffordable(args),
    onSubscribe: ({ args }) => requireAffordable(args),
  };
}

/** Every error has one of our codes, and what to ask the logs by. */
const codes: Plugin<object, Context> = {
  onResultProcess: ({ result, serverContext }) => {
    if (Symbol.asyncIterator in result) return;
    for (const { errors = [] } of Array.isArray(result) ? result : [result]) {
      for (const { extensions } of errors) {
        extensions['request_id'] = serverContext.requestId;
        // Some parts of GraphQL have words of their own for a query that can not be understood.
        if (!Object.hasOwn(faults, String(extensions['code'])))
          extensions['code'] = 'invalid_request';
      }
    }
  },
};

/** An error as the caller may read it; what is wrong with the query itself is told as it is. */
function masked(log: Logger, error: unknown): GraphQLError {
  const wrapped = error instanceof GraphQLError ? error : null;
  const fault = faultOf(wrapped ? wrapped.originalError : error);
  if (wrapped && !wrapped.originalError)
    return told(wrapped.message, { code: 'invalid_request' }, wrapped);
  if (!fault) log.error({ err: error }, 'GraphQL failed by a bug');
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
