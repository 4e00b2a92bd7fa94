import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isListType,
  isNullableType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** How much one operation may ask for. */
export const queryLimits = {
  /** Fields inside of fields. */
  depth: 12,
  /** Fields under another name than their own. */
  aliases: 30,
  /** Objects that it may bring, by the sizes of the pages asked for. */
  cost: 20_000,
  /** Words and signs of the document, before it is understood. */
  tokens: 2_000,
} as const;

/** A list that has no pages is taken to be so long. */
const plainListItems = 5;

/**
 * Throws `invalid_request` for an operation that asks for too much, before anything of it is done. The cost of a field
 * is that of all objects that it may bring: pages inside of pages multiply.
 */
export function requireAffordable(
  args: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>,
): void {
  const { schema, document } = args;
  const operation = getOperationAST(document, args.operationName);
  if (!operation) return;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition);
  }
  const spent = { cost: 0, aliases: 0 };
  const variables = args.variableValues ?? {};

  function walk(
    set: SelectionSetNode,
    parent: GraphQLNamedType,
    at: { depth: number; times: number },
  ): void {
    for (const selection of set.selections) {
      // Every step costs, so that fragments inside of fragments end, too.
      spend(1);
      if (selection.kind === Kind.FIELD) walkField(selection, parent, at);
      else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, parent, at);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment) walk(fragment.selectionSet, parent, at);
      }
    }
  }

  function walkField(
    node: FieldNode,
    parent: GraphQLNamedType,
    at: { depth: number; times: number },
  ): void {
    if (node.alias && node.alias.value !== node.name.value) {
      spent.aliases += 1;
      refuse('aliases', spent.aliases, queryLimits.aliases);
    }
    if (!node.selectionSet) return;
    refuse('depth', at.depth, queryLimits.depth);
    const field =
      isObjectType(parent) || isInterfaceType(parent)
        ? parent.getFields()[node.name.value]
        : undefined;
    const times = at.times * itemsOf(node, field, variables);
    spend(times);
    const type = field ? getNamedType(field.type) : parent;
    walk(node.selectionSet, type, { depth: at.depth + 1, times });
  }

  function spend(cost: number): void {
    spent.cost += cost;
    refuse('cost', spent.cost, queryLimits.cost);
  }

  const root = schema.getRootType(operation.operation);
  if (root) walk(operation.selectionSet, root, { depth: 1, times: 1 });
}

/** How many objects the field brings: the page asked for, or a guess for a list without pages. */
function itemsOf(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  variables: Readonly<Record<string, unknown>>,
): number {
  const paged = field?.args.some(({ name }) => name === 'first');
  if (paged) {
    const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    return Math.max(1, pageSize(given, variables));
  }
  const type = field && (isNullableType(field.type) ? field.type : field.type.ofType);
  // The items of a page are counted with the page.
  return isListType(type) && node.name.value !== 'edges' ? plainListItems : 1;
}

function pageSize(
  value: ValueNode | undefined,
  variables: Readonly<Record<string, unknown>>,
): number {
  const most = limits.pageItems;
  if (value === undefined) return limits.defaultPageItems;
  if (value.kind === Kind.INT) return Math.min(Number(value.value), most);
  const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  // What can not be told now is taken for the most.
  return typeof given === 'number' ? Math.min(given, most) : most;
}

function refuse(what: 'depth' | 'aliases' | 'cost', asked: number, limit: number): void {
  if (asked <= limit) return;
  const detail = `the query's ${what} is more than ${limit}; ask for less at once`;
  throw new Fault('invalid_request', { detail, limit_of: what, limit });
}
