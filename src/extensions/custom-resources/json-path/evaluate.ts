import { getMember, plainValue } from '../../../model/object.ts';
import { compare, LiteralValue } from './compare.ts';
import type { Node, Slice } from './nodes.ts';

/** Counts the values that an evaluation visits, so that its cost has a bound. */
export class Budget {
  #left: number;

  constructor(values: number) {
    this.#left = values;
  }

  /** @throws Failure when more values are visited than were granted */
  spend(values: number): void {
    this.#left -= values;
    if (this.#left < 0) throw FAILURE;
  }
}

/** The path cannot be followed in this object: an index out of bounds, a filter on no list. */
class Failure extends Error {
  override name = 'Failure';
}
/** One instance: a failure is an ordinary result, and its stack says nothing. */
const FAILURE = new Failure();

/**
 * Returns the values at a path in an object; missing members give no value.
 * @returns undefined where kube-apiserver reports an error, or when the budget is exhausted
 */
export function evaluate(nodes: readonly Node[], root: unknown, budget: Budget): unknown[] | undefined {
  try {
    return walk(nodes, [root], budget).map((value) =>
      value instanceof LiteralValue ? value.literal.value : value,
    );
  } catch (error) {
    if (error === FAILURE) return undefined;
    throw error;
  }
}

function walk(nodes: readonly Node[], from: readonly unknown[], budget: Budget): unknown[] {
  let values = [...from];
  for (const node of nodes) {
    budget.spend(values.length + 1);
    values = step(node, values, budget);
  }
  return values;
}

function step(node: Node, values: readonly unknown[], budget: Budget): unknown[] {
  switch (node.type) {
    case 'field':
      return fields(values, node.name);
    case 'wildcard':
      return wildcard(values, budget);
    case 'recursive':
      return descendants(values, budget);
    case 'slice':
      return slices(values, node.slice, budget);
    case 'union':
      return node.members.flatMap((member) => walk(member, values, budget));
    case 'filter':
      return filtered(values, node, budget);
    case 'literal':
      // A string is one value, whatever comes before it.
      return node.value.kind === 'string'
        ? [new LiteralValue(node.value)]
        : values.map(() => new LiteralValue(node.value));
    case 'identifier':
      throw FAILURE;
  }
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof LiteralValue);

/** Own members in their order, or the items of a list. */
function childrenOf(value: unknown): unknown[] {
  if (!isContainer(value)) return [];
  const children = Array.isArray(value) ? value : Object.values(value);
  return children.filter((child) => child !== undefined).map(plainValue);
}

function fields(values: readonly unknown[], name: string): unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    const member = isContainer(value) && !Array.isArray(value) ? getMember(value, name) : undefined;
    if (member !== undefined) found.push(plainValue(member));
  }
  return found;
}

function wildcard(values: readonly unknown[], budget: Budget): unknown[] {
  return values.flatMap((value) => {
    const children = childrenOf(value);
    budget.spend(children.length);
    return children;
  });
}

/** Every container that is not empty, each before those inside it. */
function descendants(values: readonly unknown[], budget: Budget): unknown[] {
  const found: unknown[] = [];
  const pending = [...values].reverse();
  while (pending.length > 0) {
    const value = pending.pop();
    const children = childrenOf(value);
    budget.spend(children.length + 1);
    if (children.length === 0) continue;
    found.push(value);
    for (let index = children.length - 1; index >= 0; index -= 1) pending.push(children[index]);
  }
  return found;
}

function slices(values: readonly unknown[], slice: Slice, budget: Budget): unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    if (value === null) continue;
    if (!Array.isArray(value)) throw FAILURE;
    const { length } = value;
    const start = fromEnd(slice.start ?? 0, length);
    // The end derived from the index -1 is the end of the list.
    const whole = slice.end === undefined || (slice.end === 0 && slice.single);
    const end = whole ? length : fromEnd(slice.end!, length);
    // An empty slice ends the evaluation of this step, as in kube-apiserver.
    if (start === end) return found;
    const step = slice.step ?? 1;
    if (start >= length || start < 0 || end > length || end < 0 || start > end || step <= 0) throw FAILURE;
    budget.spend(end - start);
    for (let index = start; index < end; index += step) found.push(plainValue(value[index]));
  }
  return found;
}

const fromEnd = (index: number, length: number): number => (index < 0 ? index + length : index);

function filtered(
  values: readonly unknown[],
  { left, operator, right }: Node & { type: 'filter' },
  budget: Budget,
): unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    if (!Array.isArray(value)) throw FAILURE;
    for (const item of value) {
      if (operator === 'exists' ? exists(left, item, budget) : matches(left, operator, right, item, budget))
        found.push(item);
    }
  }
  return found;
}

/** A path that cannot be followed counts as present, as in kube-apiserver; an exhausted budget does not. */
function exists(path: readonly Node[], item: unknown, budget: Budget): boolean {
  budget.spend(1);
  try {
    return walk(path, [item], budget).length > 0;
  } catch (error) {
    if (error !== FAILURE) throw error;
    budget.spend(0);
    return true;
  }
}

function matches(
  left: readonly Node[],
  operator: string,
  right: readonly Node[],
  item: unknown,
  budget: Budget,
): boolean {
  budget.spend(1);
  const first = walk(left, [item], budget);
  if (first.length === 0) return false;
  if (first.length > 1) throw FAILURE;
  const second = walk(right, [item], budget);
  if (second.length === 0) return false;
  const result = second.length > 1 ? undefined : compare(operator, first[0], second[0]);
  if (result === undefined) throw FAILURE;
  return result;
}
