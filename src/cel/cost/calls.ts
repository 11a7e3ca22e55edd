import type { CallContext, CallEstimate } from './call-context.ts';
import { estimateLibraryCall } from './library-calls.ts';
import type { Operand } from './nodes.ts';
import { PATTERN_FACTOR, TRAVERSAL_FACTOR } from './runtime.ts';
import { add, multiply, ONE, type Range, scale, smaller, sum, union } from './size.ts';

/** Estimates one overload of a call: its own cost and that of its arguments, without its receiver. */
export function estimateCall(overload: string, context: CallContext): CallEstimate {
  if (overload === 'logical_and' || overload === 'logical_or') {
    const [left, right] = context.argumentCosts as [Range, Range];
    return { cost: { min: left.min, max: add(left, right).max } };
  }
  if (overload === 'conditional') {
    const [condition, then, otherwise] = context.argumentCosts as [Range, Range, Range];
    const [, thenOperand, otherwiseOperand] = context.arguments as [Operand, Operand, Operand];
    return {
      cost: add(condition, union(then, otherwise)),
      size: union(context.sizes.of(thenOperand), context.sizes.of(otherwiseOperand)),
    };
  }
  const own = estimateLibraryCall(overload, context) ?? estimateStandardCall(overload, context);
  return { cost: sum(own.cost, ...context.argumentCosts), size: own.size };
}

function estimateStandardCall(
  overload: string,
  { target, arguments: args, sizes }: CallContext,
): CallEstimate {
  const [first, second] = args;
  const traversal = (operand: Operand): Range => scale(sizes.of(operand), TRAVERSAL_FACTOR);
  switch (overload) {
    case 'string_format':
      return { cost: traversal(target!) };
    case 'string_to_bytes': {
      const size = sizes.of(first!);
      return { cost: scale(size, TRAVERSAL_FACTOR), size: multiply(size, { min: 1n, max: 4n }) };
    }
    case 'bytes_to_string': {
      const size = sizes.of(first!);
      return { cost: scale(size, TRAVERSAL_FACTOR), size: { min: size.min / 4n, max: size.max } };
    }
    case 'strings_quote': {
      const size = sizes.of(first!);
      return {
        cost: scale(size, TRAVERSAL_FACTOR),
        size: add(multiply({ min: 1n, max: 2n }, size), { min: 2n, max: 2n }),
      };
    }
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: traversal(first!) };
    case 'in_list':
      return { cost: sizes.of(second!) };
    case 'matches_string':
      return {
        cost: multiply(
          scale(add(sizes.of(target!), ONE), TRAVERSAL_FACTOR),
          scale(sizes.of(first!), PATTERN_FACTOR),
        ),
      };
    case 'contains_string':
      return { cost: multiply(traversal(target!), traversal(first!)) };
    case 'add_list':
      return { cost: ONE, size: add(sizes.of(first!), sizes.of(second!)) };
    case 'add_string':
    case 'add_bytes': {
      const size = add(sizes.of(first!), sizes.of(second!));
      return { cost: scale(size, TRAVERSAL_FACTOR), size };
    }
    default:
      return { cost: isComparison(overload) ? comparison(sizes.of(first!), sizes.of(second!)) : ONE };
  }
}

const isComparison = (overload: string): boolean =>
  overload === 'equals' ||
  overload === 'not_equals' ||
  /^(?:less|greater)(?:_equals)?_(?:string|bytes)$/.test(overload);

/** Comparing two values costs as much as traversing the smaller one. */
function comparison(a: Range, b: Range): Range {
  const max = smaller(a.max, b.max);
  return scale({ min: max > 0n ? 1n : 0n, max }, TRAVERSAL_FACTOR);
}
