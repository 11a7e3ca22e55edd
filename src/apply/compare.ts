import { jsonObject } from '../model/json-object.ts';
import { RawJson } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { addItem, type ItemsByElement } from './elements.ts';
import { equalValues } from './equal-values.ts';
import type { FieldSet } from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import { isSameInMemory, jsonValueOf } from './memory.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { type Shape, shapeOfValues } from './shape.ts';

/** Changed fields of an object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * `memory`: typed in-memory values, whose unset members stand for their value in JSON. `plain`: JSON trees.
 */
export type ValueForm = 'memory' | 'plain';

type Members = Record<string, unknown>;

/** Compares two objects field by field, except `metadata.managedFields` and the type. */
export function* compare(shape: Shape, before: object, after: object, form: ValueForm): Steps<Comparison> {
  const walk = new Walk(form === 'memory');
  walk.root(shape, before as Members, after as Members);
  while (walk.resume()) yield;
  return {
    added: yield* walk.added.build(),
    modified: yield* walk.modified.build(),
    removed: yield* walk.removed.build(),
  };
}

/** A traversal of two objects. When its budget is used up, it defers the rest of each list and map. */
class Walk {
  readonly added = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();
  #path: PathElement[] = [];
  readonly #partsAtOnce = stepSizes.nodes;
  #budget = this.#partsAtOnce;
  readonly #later: (() => void)[] = [];
  /** The names of the members of large maps, which take milliseconds to enumerate. */
  readonly #names = new Map<object, readonly string[]>();

  constructor(private readonly memory: boolean) {}

  /** Continues with deferred work. @returns false when there is none */
  resume(): boolean {
    const next = this.#later.pop();
    if (next === undefined) return false;
    this.#budget = this.#partsAtOnce;
    next();
    return true;
  }

  #defer(work: () => void): void {
    const path = [...this.#path];
    this.#later.push(() => {
      this.#path = path;
      work();
    });
  }

  /** Visits the parts of one list or map, deferring them when the budget is used up. */
  #each<Part>(parts: readonly Part[], visit: (part: Part) => void, from = 0): void {
    for (let index = from; index < parts.length; index += 1) {
      if (this.#budget <= 0) {
        this.#defer(() => this.#each(parts, visit, index));
        return;
      }
      this.#budget -= 1;
      visit(parts[index]!);
    }
  }

  readonly #namesOf = (members: object): readonly string[] => {
    const known = this.#names.get(members);
    if (known !== undefined) return known;
    const names = Object.keys(members);
    if (names.length > this.#partsAtOnce) this.#names.set(members, names);
    return names;
  };

  root(shape: Shape, before: Members, after: Members): void {
    this.#members(shape, before, after);
  }

  /** Compares one value of both sides; undefined is absent, null is not. */
  #value(shape: Shape, before: unknown, after: unknown): void {
    if (before === after) return;
    if (before instanceof RawJson || after instanceof RawJson) {
      this.#raw(shape, before, after);
      return;
    }
    const at = shapeOfValues(shape, before, after);
    if (at.kind === 'leaf') {
      if (shape.deduce !== undefined) this.#changedForm(shape, before, after);
      this.#leaf(at, before, after);
    } else if (at.kind === 'keyed' || at.kind === 'set') this.#list(at, before, after);
    else this.#map(at, before, after);
  }

  /** Free-form data that was a map and is none any more, or the reverse: the members of the map change, too. */
  #changedForm(shape: Shape, before: unknown, after: unknown): void {
    const left = jsonObject(before);
    const right = jsonObject(after);
    if ((left === undefined) !== (right === undefined))
      this.#members(shape, left ?? {}, right ?? {}, left === undefined, right === undefined);
  }

  #list(shape: Shape, before: unknown, after: unknown): void {
    const left = Array.isArray(before) ? before : [];
    const right = Array.isArray(after) ? after : [];
    if (left.length > 0 || right.length > 0) {
      // Usually nothing changed, and then no path elements are needed.
      if (!equalValues(left, right)) this.#items(shape, left, right);
    }
    this.#ends(shape, before, after, left.length === 0 && right.length === 0);
  }

  #map(shape: Shape, before: unknown, after: unknown): void {
    const left = jsonObject(before);
    const right = jsonObject(after);
    const empty = !this.#hasMembers(shape, left) && !this.#hasMembers(shape, right);
    if (!empty) this.#members(shape, left ?? {}, right ?? {}, left === undefined, right === undefined);
    this.#ends(shape, before, after, empty);
  }

  /** Compares the field itself as a whole. */
  #ends(shape: Shape, before: unknown, after: unknown, whole: boolean): void {
    if (whole || before === undefined || after === undefined) this.#leaf(shape, before, after);
  }

  #leaf(shape: Shape, before: unknown, after: unknown): void {
    if (before === undefined) this.added.add(this.#path);
    else if (after === undefined) this.removed.add(this.#path);
    else if (!equalValues(before, after) && !(this.memory && isSameInMemory(shape, before, after)))
      this.modified.add(this.#path);
  }

  #raw(shape: Shape, before: unknown, after: unknown): void {
    if (before instanceof RawJson && after instanceof RawJson && before.text === after.text) return;
    this.#value(
      shape,
      before instanceof RawJson ? before.parse() : before,
      after instanceof RawJson ? after.parse() : after,
    );
  }

  /** Whether a struct or map has members in JSON: an empty in-memory struct may have some. */
  #hasMembers(shape: Shape, members: Members | undefined): boolean {
    if (members === undefined) return false;
    if (this.#namesOf(members).some((name) => members[name] !== undefined)) return true;
    return this.memory && shape.impliedMembers().length > 0;
  }

  #members(shape: Shape, before: Members, after: Members, leftAbsent = false, rightAbsent = false): void {
    this.#each(this.#namesOf(before), (name) => {
      const other = Object.hasOwn(after, name) ? after[name] : undefined;
      this.#member(shape, name, before[name], other, leftAbsent, rightAbsent);
    });
    this.#each(this.#namesOf(after), (name) => {
      if (!Object.hasOwn(before, name))
        this.#member(shape, name, undefined, after[name], leftAbsent, rightAbsent);
    });
    // Members that are in JSON although both sides lack them differ when one side has no such struct.
    if (!this.memory || leftAbsent === rightAbsent) return;
    for (const name of shape.impliedMembers())
      if (before[name] === undefined && after[name] === undefined)
        this.#member(shape, name, undefined, undefined, leftAbsent, rightAbsent);
  }

  #member(
    shape: Shape,
    name: string,
    before: unknown,
    after: unknown,
    leftAbsent: boolean,
    rightAbsent: boolean,
  ): void {
    if (before === after && leftAbsent === rightAbsent) return;
    const member = shape.member(name);
    if (member === undefined) return;
    const left = this.memory && !leftAbsent ? jsonValueOf(member, before, this.#namesOf) : before;
    const right = this.memory && !rightAbsent ? jsonValueOf(member, after, this.#namesOf) : after;
    if (left === right) return;
    this.#path.push(fieldElement(name));
    this.#value(member.shape, left, right);
    this.#path.pop();
  }

  #items(shape: Shape, before: readonly unknown[], after: readonly unknown[]): void {
    const left: ItemsByElement = new Map();
    const right: ItemsByElement = new Map();
    const compareThem = (): void => this.#elements(shape, left, right);
    const isDeferred = before.length + after.length > this.#budget;
    // Deferred work runs in reverse order: the items are compared when both lists have been read.
    if (isDeferred) this.#defer(compareThem);
    this.#each(before, (item) => addItem(left, shape, item));
    this.#each(after, (item) => addItem(right, shape, item));
    if (!isDeferred) compareThem();
  }

  #elements(shape: Shape, left: ItemsByElement, right: ItemsByElement): void {
    const item = shape.item();
    this.#each([...left.keys()], (element) => {
      const ours = left.get(element)!;
      const theirs = right.get(element) ?? [];
      if (!equalValues(ours, theirs)) this.#item(item, element, ours, theirs);
    });
    this.#each([...right.keys()], (element) => {
      if (!left.has(element)) this.#item(item, element, [], right.get(element)!);
    });
  }

  #item(shape: Shape, element: PathElement, before: readonly unknown[], after: readonly unknown[]): void {
    this.#path.push(element);
    if (before.length <= 1 && after.length <= 1) this.#value(shape, before[0], after[0]);
    else if (before.length > 1 && after.length > 1) this.#leaf(listOf(shape), before, after);
    else if (before.length > 1) {
      // The mark of a duplicate goes; the item that is left is owned by its members.
      if (after.length === 1) this.#value(shape, undefined, after[0]);
      this.removed.add(this.#path);
    } else {
      if (before.length === 1) this.#value(shape, before[0], undefined);
      this.added.add(this.#path);
    }
    this.#path.pop();
  }
}

/** The shape of a list that is owned as a whole. */
const listOf = (item: Shape): Shape => ({ ...item, kind: 'leaf', expects: 'list', inside: () => item });
