import { typeParameters } from '../types.ts';
import type { CallContext, CallEstimate } from './call-context.ts';
import type { Operand, Sizes } from './nodes.ts';
import { replacedSize } from './replaced-size.ts';
import { PATTERN_FACTOR, TRAVERSAL_FACTOR } from './runtime.ts';
import { add, exactly, multiply, NOTHING, ONE, type Range, scale, smaller, sum } from './size.ts';

/** The size of an address in bytes. */
const ADDRESS: Range = { min: 4n, max: 16n };

/** The pattern length assumed for a named format. */
const FORMAT_PATTERN_LENGTH = 128;

/** The cost of comparing two addresses. */
const ADDRESS_COMPARISON = scale(add(ADDRESS, ADDRESS), TRAVERSAL_FACTOR);

/** Library types whose equality has its own cost; they have no size. */
const EQUALITY: ReadonlyMap<string, Range> = new Map([
  ['kubernetes.NamedFormat', { min: 1n, max: 7n }],
  ['kubernetes.Quantity', ONE],
  ['net.IP', ONE],
  ['net.CIDR', ONE],
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map((name): [string, Range] => [
    `kubernetes.authorization.${name}`,
    ONE,
  ]),
]);

/**
 * Estimates library functions by name; undefined for functions of the language itself. The costs of receiver
 * and arguments are added by the caller.
 */
export function estimateLibraryCall(
  overload: string,
  { name, target, arguments: args, sizes }: CallContext,
): CallEstimate | undefined {
  const [first, second] = args;
  const traversal = (operand: Operand, factor = TRAVERSAL_FACTOR): Range =>
    scale(sizes.ofArgument(operand), factor);
  switch (name) {
    case 'check':
      return { cost: exactly(AUTHORIZATION_CHECK) };
    case 'fieldSelector':
    case 'labelSelector':
      return first && { cost: selectorCost(sizes.ofArgument(first)) };
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target && { cost: elementwise(target, sizes) };
    case 'url': {
      if (first === undefined) return undefined;
      const size = sizes.ofArgument(first);
      return { cost: scale(size, TRAVERSAL_FACTOR), size };
    }
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim': {
      if (target === undefined) return undefined;
      const size = sizes.ofArgument(target);
      return { cost: scale(size, TRAVERSAL_FACTOR), size };
    }
    case 'replace': {
      if (target === undefined || second === undefined) return undefined;
      const size = replacedSize(sizes.ofArgument(target), sizes.ofArgument(first!), sizes.ofArgument(second));
      return { cost: traversal(target, 2 * TRAVERSAL_FACTOR), size };
    }
    case 'split':
      return (
        target && {
          cost: traversal(target, 2 * TRAVERSAL_FACTOR),
          size: { min: 0n, max: limitOf(second) ?? sizes.ofArgument(target).max },
        }
      );
    case 'join': {
      if (target === undefined) return undefined;
      const size = joinedSize(target, first, sizes);
      return { cost: scale(size, TRAVERSAL_FACTOR), size };
    }
    case 'find':
    case 'findAll': {
      if (target === undefined || first === undefined) return undefined;
      const size = sizes.ofArgument(target);
      return {
        cost: multiply(scale(add(size, ONE), TRAVERSAL_FACTOR), traversal(first, PATTERN_FACTOR)),
        size: { min: 0n, max: size.max },
      };
    }
    case 'cidr':
    case 'ip':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
      return first && { cost: traversal(first) };
    case 'isCanonical':
      return first && { cost: traversal(first, 2 * TRAVERSAL_FACTOR) };
    case 'containsIP':
      return (
        first && {
          cost: add(ADDRESS_COMPARISON, overload === 'cidr_contains_ip_string' ? traversal(first) : NOTHING),
        }
      );
    case 'containsCIDR': {
      // Masking the network parses it again; then the prefix lengths are compared.
      const parsing = overload === 'cidr_contains_cidr_string' ? traversal(first!) : NOTHING;
      return { cost: sum(ADDRESS_COMPARISON, scale(ADDRESS, TRAVERSAL_FACTOR), ONE, parsing) };
    }
    case 'validate':
      return (
        first && { cost: multiply(traversal(first), scale(exactly(FORMAT_PATTERN_LENGTH), PATTERN_FACTOR)) }
      );
    case '_==_':
      return equality(first!, second!);
    default:
      return estimateSets(overload, args, sizes);
  }
}

function estimateSets(overload: string, args: readonly Operand[], sizes: Sizes): CallEstimate | undefined {
  const factor =
    overload === 'list_sets_equivalent_list'
      ? 2
      : overload === 'list_sets_contains_list' || overload === 'list_sets_intersects_list'
        ? 1
        : undefined;
  if (factor === undefined) return undefined;
  const pairs = multiply(sizes.ofArgument(args[0]!), sizes.ofArgument(args[1]!));
  return { cost: add(scale(pairs, factor), ONE) };
}

/** The cost of parsing a selector: traversing the text, and matching its requirements. */
function selectorCost(length: Range): Range {
  return sum(exactly(10), scale(length, TRAVERSAL_FACTOR), scale(scale(length, 0.5), 50));
}

/** The element of a list as an operand; undefined when the operand is not a list. */
function elementOf({ type, path }: Operand): Operand | undefined {
  const element = typeParameters(type)[0];
  return (
    element && { type: element, expression: undefined, path: path && [...path, '@items'], size: undefined }
  );
}

/** Traversing every element of a list (with its text), or a text. */
function elementwise(target: Operand, sizes: Sizes): Range {
  const element = elementOf(target);
  const size = sizes.ofArgument(target);
  if (element === undefined) return scale(size, TRAVERSAL_FACTOR);
  const { kind } = element.type;
  return multiply(
    size,
    kind === 'string' || kind === 'bytes'
      ? add(ONE, scale(sizes.ofArgument(element), TRAVERSAL_FACTOR))
      : ONE,
  );
}

function joinedSize(target: Operand, separator: Operand | undefined, sizes: Sizes): Range {
  const count = sizes.ofArgument(target);
  const element = elementOf(target);
  const elements = element === undefined ? NOTHING : multiply(count, sizes.ofArgument(element));
  if (separator === undefined) return elements;
  const separators: Range = {
    min: count.min > 0n ? count.min - 1n : 0n,
    max: count.max > 0n ? count.max - 1n : 0n,
  };
  return add(elements, multiply(sizes.ofArgument(separator), separators));
}

/** A literal limit of a split; a negative one is converted to unsigned. */
function limitOf(limit: Operand | undefined): bigint | undefined {
  const constant = limit?.expression?.kind === 'literal' ? limit.expression.constant : undefined;
  return constant?.type === 'int' ? BigInt.asUintN(64, constant.value) : undefined;
}

/** The cost of comparing two values of the same library type. */
function equality(a: Operand, b: Operand): CallEstimate | undefined {
  if (a.type.kind !== 'opaque' || b.type.kind !== 'opaque' || a.type.name !== b.type.name) return undefined;
  const known = EQUALITY.get(a.type.name);
  if (known !== undefined) return { cost: known };
  if (a.type.name !== 'kubernetes.URL') return undefined;
  if (a.size === undefined || b.size === undefined) return { cost: ONE };
  const max = smaller(a.size.max, b.size.max);
  return { cost: scale({ min: max > 0n ? 1n : 0n, max }, TRAVERSAL_FACTOR) };
}

/** The cost of an authorization check. */
export const AUTHORIZATION_CHECK = 350_000;

export const LIST_LITERAL = 10;
export const MAP_LITERAL = 30;
export const MESSAGE_LITERAL = 40;
