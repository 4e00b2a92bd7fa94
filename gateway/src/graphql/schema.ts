import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { guardSchema } from './guard.ts';
import { mutations } from './mutations.ts';
import { objects } from './objects.ts';
import { queries } from './queries.ts';
import { readSdl } from './sdl.ts';
import { subscriptionsOfPosts } from './subscriptions.ts';

/** Everything that operators can ask for, guarded as the SDL says. */
export function createSchema(): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: readSdl(),
    resolvers: {
      Query: queries,
      Mutation: mutations,
      Subscription: subscriptionsOfPosts,
      ...objects,
    },
  });
  return guardSchema(schema);
}
