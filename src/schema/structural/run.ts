import type { FieldError } from '../../status/field-error.ts';
import type { Node } from './node.ts';
import type { Comparisons } from './unchanged.ts';

/** Errors kept of one validation, and the maximum length of their messages together. */
const MAXIMUM_ERRORS = 10_000;
const MAXIMUM_TEXT = 4 * 1024 * 1024;

/** Work of one validation, in checked values and alternatives; above it the object is refused. */
const MAXIMUM_WORK = 5_000_000;

/** A state that {@link Run.rollback} returns to. */
export interface Mark {
  readonly count: number;
  readonly score: number;
}

/** Names of the members of objects, or indexes of the items of lists, by container. */
export type FloatMembers = ReadonlyMap<object, { has(key: string): boolean }>;

/** Thrown when a validation exceeds its work. Not an Error: it needs no stack trace. */
export const TOO_MUCH_WORK = Symbol('too much work');

/** The state of one validation: the path of the current value and the errors so far. */
export class Run {
  /** Member names and indexes from the root to the current value. */
  readonly path: (string | number)[] = [];
  readonly errors: FieldError[] = [];
  /** Number of errors, also of those that are not kept. */
  count = 0;
  /** Number of passed checks; an alternative with more of them is reported. */
  score = 0;
  work = 0;
  /** Whether a junctor has failed, so that errors may be repeated. */
  hasRepeats = false;
  private compared: Comparisons | undefined;
  /** Length of the messages up to each error. */
  private readonly lengths: number[] = [];
  /** What contains the current value, unless the value is a container or the root. */
  private container: object | undefined;

  constructor(
    readonly root: Node,
    private readonly base: string,
    private readonly floats?: FloatMembers,
  ) {}

  /** What was compared with the value before an update; most validations compare nothing. */
  get comparisons(): Comparisons {
    this.compared ??= { unchanged: new Map(), keyed: new Map() };
    return this.compared;
  }

  /** Goes to a member or item; the caller removes it from the path afterwards. */
  enter(container: object, key: string | number): void {
    this.path.push(key);
    this.container = container;
  }

  /** Whether the current number was written as a floating-point number (`1.0`). */
  get isWrittenAsFloat(): boolean {
    if (this.floats === undefined || this.container === undefined) return false;
    return this.floats.get(this.container)?.has(String(this.path.at(-1))) === true;
  }

  /** Path from the root, as the messages of the reference have it. */
  get name(): string {
    const { path } = this;
    let name = '';
    for (let index = 0; index < path.length; index += 1) {
      const part = path[index]!;
      if (typeof part === 'number') name += `[${part}]`;
      // Values of additional properties of the root have a leading dot.
      else if (index > 0 || this.root.schema.properties?.has(part) !== true) name += `.${part}`;
      else name = part;
    }
    return name;
  }

  /** Field of an error at a path from the root. */
  fieldOf(name: string): string {
    const inner = name.startsWith('.') ? name.slice(1) : name;
    if (inner === '') return this.rootField;
    return this.base === '' ? inner : `${this.base}.${inner}`;
  }

  get isWholeObject(): boolean {
    return this.base === '';
  }

  /** Field of errors of the whole value. */
  get rootField(): string {
    return this.base === '' ? '<nil>' : this.base;
  }

  /** Counts work. @throws TOO_MUCH_WORK */
  spend(work: number): void {
    this.work += work;
    if (this.work > MAXIMUM_WORK) throw TOO_MUCH_WORK;
  }

  /** Adds an error. @param make makes it from the field and the path of the current value */
  fail(make: (field: string, name: string) => FieldError): void {
    this.count += 1;
    if (this.isFull) return;
    const { name } = this;
    this.keep(make(this.fieldOf(name), name));
  }

  private get isFull(): boolean {
    return this.errors.length >= MAXIMUM_ERRORS || (this.lengths.at(-1) ?? 0) > MAXIMUM_TEXT;
  }

  private keep(error: FieldError): void {
    this.lengths.push((this.lengths.at(-1) ?? 0) + error.field.length + error.body.length);
    this.errors.push(error);
  }

  mark(): Mark {
    return { count: this.count, score: this.score };
  }

  /** Removes the errors since a mark. */
  rollback({ count, score }: Mark): void {
    this.count = count;
    this.score = score;
    if (this.errors.length <= count) return;
    this.errors.length = count;
    this.lengths.length = count;
  }

  /** Adds errors that were set aside. @param count their number, with those that were not kept */
  restore(errors: readonly FieldError[], count: number): void {
    this.count += count;
    for (const error of errors) if (!this.isFull) this.keep(error);
  }

  /** All kept errors, each once. */
  results(): FieldError[] {
    if (!this.hasRepeats || this.errors.length < 2) return this.errors;
    const seen = new Set<string>();
    return this.errors.filter(({ type, field, body }) => {
      const key = `${type} ${field} ${body}`;
      return !seen.has(key) && seen.add(key);
    });
  }
}
