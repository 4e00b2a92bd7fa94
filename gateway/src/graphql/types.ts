import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';
import { readSdl } from './sdl.ts';

const accounts = '@perch/proto/accounts';
const accountsOversight = '@perch/proto/accounts-oversight';
const operators = '@perch/proto/operators';
const postsOversight = '@perch/proto/posts-oversight';

/** The objects that resolvers hand on are proto's; their fields are found by name. */
const mappers = {
  Account: `${accountsOversight}#OverseenAccount`,
  Act: `${operators}#Act as ActModel`,
  Actor: `${operators}#Actor as ActorModel`,
  ApiKey: `${accountsOversight}#OverseenKey`,
  CreditEntry: '@perch/proto/credits#LedgerEntry',
  Operator: `${operators}#Operator as OperatorModel`,
  Post: `${postsOversight}#OverseenPost`,
  PostEvent: '@perch/proto/posts#PostEvent as PostEventModel',
  PostWorkflow: `${postsOversight}#PostWorkflow as PostWorkflowModel`,
  Queues: `${postsOversight}#Queues as QueuesModel`,
  Send: `${accountsOversight}#Send as SendModel`,
  User: `${accounts}#User as UserModel`,
  WebhookDelivery: `${postsOversight}#OverseenDelivery`,
  WebhookEndpoint: `${postsOversight}#OverseenEndpoint`,
};

/** The types of all resolvers, made from the SDL; the checked-in file is held to it by a test. */
export async function resolverTypes(): Promise<string> {
  const text = await codegen({
    filename: 'resolvers.ts',
    schema: parse(readSdl()),
    documents: [],
    plugins: [{ typescript: {} }, { resolvers: {} }],
    pluginMap: { typescript, resolvers },
    config: {
      contextType: '../context.ts#Context',
      enumsAsTypes: true,
      useTypeImports: true,
      mappers,
      scalars: {
        ID: 'string',
        DateTime: 'string',
        JSON: { input: 'unknown', output: 'unknown' },
      },
      inputMaybeValue: 'T | null | undefined',
      maybeValue: 'T | null',
    },
  });
  return `// Made from proto/src/operators.graphql by \`npm run graphql -w @perch/gateway\`; not to be edited.\n${text}`;
}
