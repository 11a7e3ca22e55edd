import { quote } from '../../errors/quote.ts';
import { type FieldError, invalidFormatted } from '../../status/field-error.ts';
import type { Steps } from '../../steps/steps.ts';
import { tooMuchWork } from './branches.ts';
import { isContainer, type JsonObject, sizeOf } from './json.ts';
import type { Node } from './node.ts';
import { type FloatMembers, Run } from './run.ts';
import { elementBefore, isUnchanged, memberBefore } from './unchanged.ts';

/** How a value is validated. */
export interface ValidationOptions {
  /** Path of the value in errors; empty (the default) for a whole object. */
  readonly field?: string;
  /** The value before an update, whose unchanged parts keep their faults; absent: no fault is kept. */
  readonly old?: unknown;
  /** Members, or items by decimal index, that are floating-point numbers although they are whole (`1.0`). */
  readonly floats?: FloatMembers;
}

/** Checks done between two pauses, in a few milliseconds. */
const WORK_PER_STEP = 4096;
/** Checks that a part of a large value may take without a pause: its size times the number of alternatives. */
const WORK_AT_ONCE = 16_384;
/** Alternatives that are tried without a pause: at the first use each may have a pattern to be compiled. */
const ALTERNATIVES_AT_ONCE = 64;
/** Size of values that are validated without a pause, in well below a millisecond. */
const SMALL = 2000;

/** Returns whether a value is handled in well below a millisecond, unless a schema has many alternatives. */
export const isSmallValue = (value: unknown): boolean => sizeOf(value, SMALL) <= SMALL;

/** Returns whether a value needs no steps. */
export const isSmall = (node: Node, value: unknown): boolean =>
  node.contents.alternatives <= ALTERNATIVES_AT_ONCE && isSmallValue(value);

/** Validates a value against a node's schema, without a pause. */
export function validateNode(node: Node, value: unknown, options: ValidationOptions): FieldError[] {
  const run = new Run(node, options.field ?? '', options.floats);
  try {
    check(node, value, options.old, run);
    return run.results();
  } catch (error) {
    return tooMuchWork(run, error);
  }
}

/** {@link validateNode} in steps of a few milliseconds. */
export function* validatingNode(node: Node, value: unknown, options: ValidationOptions): Steps<FieldError[]> {
  const run = new Run(node, options.field ?? '', options.floats);
  try {
    yield* checking(node, value, options.old, new Pausing(run));
    return run.results();
  } catch (error) {
    return tooMuchWork(run, error);
  }
}

/** Decides when a validation in steps pauses. */
class Pausing {
  private next = WORK_PER_STEP;

  constructor(readonly run: Run) {}

  /** Returns whether a value can be checked without a pause. */
  isSmall(node: Node, value: unknown): boolean {
    const { alternatives } = node.contents;
    if (alternatives > ALTERNATIVES_AT_ONCE) return false;
    const limit = WORK_AT_ONCE / (1 + alternatives);
    return !isContainer(value) || sizeOf(value, limit) <= limit;
  }

  get isDue(): boolean {
    if (this.run.work < this.next) return false;
    this.next = this.run.work + WORK_PER_STEP;
    return true;
  }
}

/** @param old the value before the update; undefined if there was none or it is not known which */
function check(node: Node, value: unknown, old: unknown, run: Run): void {
  const { count } = run;
  checkKeywords(node, value, run);
  if (value === null || value === undefined) {
    ratchet(node, value, old, count, run);
    return;
  }
  for (const { nodes, begin } of node.junctors) {
    const attempts = begin(run);
    for (const branch of nodes) {
      check(branch, value, undefined, run);
      if (attempts.endOne()) break;
    }
    attempts.finish();
  }
  if (Array.isArray(value)) {
    const { items } = node;
    if (items !== undefined) {
      for (let index = 0; index < value.length; index += 1) {
        run.enter(value, index);
        check(items, value[index], elementBefore(node, value[index], old, run), run);
        run.path.pop();
      }
    }
  } else if (isContainer(value)) {
    for (const name of Object.keys(value)) {
      const inner = memberNode(node, name, run);
      if (inner === undefined) continue;
      run.enter(value, name);
      check(inner, (value as JsonObject)[name], oldMember(run, name, old), run);
      run.path.pop();
    }
  }
  ratchet(node, value, old, count, run);
}

/** {@link check} in steps: the same walk, with pauses around parts that are not small. */
function* checking(node: Node, value: unknown, old: unknown, pausing: Pausing): Steps<void> {
  const { run } = pausing;
  if (pausing.isSmall(node, value)) {
    check(node, value, old, run);
    if (pausing.isDue) yield;
    return;
  }
  const { count } = run;
  checkKeywords(node, value, run);
  if (pausing.isDue) yield;
  for (const { nodes, begin } of node.junctors) {
    const attempts = begin(run);
    for (const branch of nodes) {
      yield* checking(branch, value, undefined, pausing);
      if (attempts.endOne()) break;
    }
    attempts.finish();
  }
  if (Array.isArray(value)) {
    const { items } = node;
    if (items !== undefined) {
      for (let index = 0; index < value.length; index += 1) {
        run.enter(value, index);
        yield* checking(items, value[index], elementBefore(node, value[index], old, run), pausing);
        run.path.pop();
      }
    }
  } else if (isContainer(value)) {
    for (const name of Object.keys(value)) {
      const inner = memberNode(node, name, run);
      if (inner === undefined) continue;
      run.enter(value, name);
      yield* checking(inner, (value as JsonObject)[name], oldMember(run, name, old), pausing);
      run.path.pop();
    }
  }
  ratchet(node, value, old, count, run);
}

/** Checks the keywords of a schema, without those of inner schemas. */
function checkKeywords(node: Node, value: unknown, run: Run): void {
  const { checks } = node;
  run.spend(1);
  checks.type?.(value, run);
  checks.enumeration?.(value, run);
  if (value === null || value === undefined) return;
  run.score += checks.score;
  if (typeof value === 'string') {
    run.score += 1;
    checks.text?.(value, run);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    run.score += 2;
    checks.number?.(value, run);
  } else if (Array.isArray(value)) {
    run.score += 2;
    checks.list?.(value, run);
  } else if (isContainer(value)) {
    run.score += 1;
    checks.object?.(value as JsonObject, run);
  }
}

/** Drops the errors of a value that an update left unchanged. */
function ratchet(node: Node, value: unknown, old: unknown, count: number, run: Run): void {
  if (old === undefined || run.count === count || !isUnchanged(node, value, old, run)) return;
  run.rollback({ count, score: run.score });
}

/** Returns the node of a member; reports a member that is not allowed. */
function memberNode(node: Node, name: string, run: Run): Node | undefined {
  const inner = node.valueOf(name);
  if (inner === undefined && node.schema.additionalProperties === false)
    run.fail((field, path) =>
      invalidFormatted(
        field,
        quote(name),
        `${path === '' ? name : `${path}.${name}`} in body is a forbidden property`,
      ),
    );
  return inner;
}

/** Returns the old member of a name. The apiVersion and kind of a whole object are not compared. */
function oldMember(run: Run, name: string, old: unknown): unknown {
  // Both objects have the version of the request.
  if (run.path.length === 1 && run.isWholeObject && (name === 'apiVersion' || name === 'kind'))
    return undefined;
  return memberBefore(name, old);
}
