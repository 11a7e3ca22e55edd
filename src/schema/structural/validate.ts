import { quote } from '../../errors/quote.ts';
import { type FieldError, invalidFormatted } from '../../status/field-error.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import { type Attempts, type Junctor, tooMuchWork } from './branches.ts';
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

/** Alternatives that are tried without a pause: at the first use each may have a pattern to be compiled. */
const FEW_ALTERNATIVES = 64;

/** Returns whether a value is handled in well below a millisecond, unless a schema has many alternatives. */
const isSmallValue = (value: unknown): boolean => sizeOf(value, smallSize()) <= smallSize();

const smallSize = (): number => stepSizes.nodes / 2;

/** Returns whether a value needs no steps. */
export const isSmall = (node: Node, value: unknown): boolean =>
  node.contents.alternatives <= FEW_ALTERNATIVES && isSmallValue(value);

/** Validates a value against a node's schema, in steps of a few milliseconds. */
export function* validateNode(node: Node, value: unknown, options: ValidationOptions): Steps<FieldError[]> {
  const { nodes } = stepSizes;
  const run = new Run(node, options.field ?? '', options.floats);
  const checker = new Checker(run);
  try {
    checker.begin(node, value, options.old, false);
    while (!checker.advance(run.work + nodes)) yield;
    return run.results();
  } catch (error) {
    return tooMuchWork(run, error);
  }
}

const NO_NAMES: readonly string[] = [];

/** A value whose keywords are checked, with what is still to be checked of it. Used again for later values. */
class Frame {
  /** The value before the update; undefined if there was none or it is not known which. */
  old: unknown;
  /** Whether it is a member or item of the value below it on the stack, and its key the last of the path. */
  isInside = false;
  junctors: readonly Junctor[];
  /** Index of the present junctor, its attempts once it has begun, and the index of its next branch. */
  junctor = 0;
  attempts: Attempts | undefined;
  branch = 0;
  isList = false;
  /** Names of the members of an object. */
  names = NO_NAMES;
  /** Number of the members or items to be checked, and the next of them. */
  length = 0;
  next = 0;

  constructor(
    public node: Node,
    public value: unknown,
    /** Number of errors before it. */
    public count: number,
  ) {
    this.junctors = node.junctors;
  }

  begin(node: Node, value: unknown, count: number): void {
    this.node = node;
    this.value = value;
    this.count = count;
    this.junctors = node.junctors;
    this.junctor = 0;
    this.next = 0;
  }
}

/** Walks through a value with a stack of its own, so that it can stop anywhere. */
class Checker {
  private readonly frames: Frame[] = [];
  private depth = 0;

  constructor(private readonly run: Run) {}

  /** Checks the keywords of a value. @returns whether there is more of it, which is left to {@link advance} */
  begin(node: Node, value: unknown, old: unknown, isInside: boolean): boolean {
    const { run } = this;
    const { count } = run;
    checkKeywords(node, value, run);
    if (value === null || value === undefined || (typeof value !== 'object' && node.junctors.length === 0)) {
      ratchet(node, value, old, count, run);
      return false;
    }
    const frame = this.frameOf(node, value, count);
    frame.old = old;
    frame.isInside = isInside;
    frame.isList = Array.isArray(value);
    if (frame.isList) frame.length = node.items === undefined ? 0 : (value as readonly unknown[]).length;
    else {
      frame.names = isContainer(value) ? Object.keys(value) : NO_NAMES;
      frame.length = frame.names.length;
    }
    return true;
  }

  private frameOf(node: Node, value: unknown, count: number): Frame {
    const { depth } = this;
    this.depth += 1;
    const used = this.frames[depth];
    if (used !== undefined) {
      used.begin(node, value, count);
      return used;
    }
    const frame = new Frame(node, value, count);
    this.frames.push(frame);
    return frame;
  }

  /** Continues until a limit of work. @returns whether the whole value is checked */
  advance(limit: number): boolean {
    const { frames, run } = this;
    while (this.depth > 0) {
      if (run.work >= limit) return false;
      const frame = frames[this.depth - 1]!;
      if (frame.junctor < frame.junctors.length) this.branch(frame);
      else if (!(frame.isList ? this.items(frame, limit) : this.members(frame, limit))) this.end(frame);
    }
    return true;
  }

  /** Begins the next branch of a junctor, or ends the junctor. */
  private branch(frame: Frame): void {
    const { nodes, begin } = frame.junctors[frame.junctor]!;
    if (frame.attempts === undefined) {
      frame.attempts = begin(this.run);
      frame.branch = 0;
    } else if (frame.attempts.endOne()) frame.branch = nodes.length;
    const next = nodes[frame.branch];
    frame.branch += 1;
    if (next !== undefined) {
      this.begin(next, frame.value, undefined, false);
      return;
    }
    frame.attempts.finish();
    frame.attempts = undefined;
    frame.junctor += 1;
  }

  /** Checks items up to one of which there is more. @returns whether any is left */
  private items(frame: Frame, limit: number): boolean {
    const { node, old, length } = frame;
    const { run } = this;
    const list = frame.value as readonly unknown[];
    const items = node.items!;
    for (let index = frame.next; index < length; index += 1) {
      if (run.work >= limit) {
        frame.next = index;
        return true;
      }
      const item = list[index];
      run.enter(list, index);
      const before = old === undefined ? undefined : elementBefore(node, item, old, run.comparisons);
      if (this.begin(items, item, before, true)) {
        frame.next = index + 1;
        return true;
      }
      run.path.pop();
    }
    return false;
  }

  /** Checks members up to one of which there is more. @returns whether any is left */
  private members(frame: Frame, limit: number): boolean {
    const { node, old, names, length } = frame;
    const { run } = this;
    const object = frame.value as JsonObject;
    for (let index = frame.next; index < length; index += 1) {
      if (run.work >= limit) {
        frame.next = index;
        return true;
      }
      const name = names[index]!;
      const inner = memberNode(node, name, run);
      if (inner === undefined) continue;
      run.enter(object, name);
      const before = old === undefined ? undefined : oldMember(run, name, old);
      if (this.begin(inner, object[name], before, true)) {
        frame.next = index + 1;
        return true;
      }
      run.path.pop();
    }
    return false;
  }

  private end({ node, value, old, count, isInside }: Frame): void {
    this.depth -= 1;
    ratchet(node, value, old, count, this.run);
    if (isInside) this.run.path.pop();
  }
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
  if (old === undefined || run.count === count || !isUnchanged(node, value, old, run.comparisons)) return;
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
