import { membersOf } from '../model/json-object.ts';
import { setMember } from '../model/object.ts';
import { copyingMembers } from '../patch/tree.ts';
import { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { itemElement } from './elements.ts';
import type { FieldSet } from './field-set.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { type Shape, shapeOfValues } from './shape.ts';

type Members = Record<string, unknown>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isEmpty = (members: Members): boolean => Object.keys(members).length === 0;

/**
 * Merges an applied configuration into a live object, both plain trees, in steps. Neither is modified; the
 * result shares parts with both.
 */
export function* mergeConfiguration(
  declared: Shape,
  live: unknown,
  applied: unknown,
  pace = new Pace(),
): Steps<unknown> {
  if (applied === undefined) return live;
  // An applied null has the form of the live value.
  const shape = shapeOfValues(declared, applied ?? live);
  if (shape.kind === 'leaf') return applied;
  if (shape.kind === 'keyed' || shape.kind === 'set') {
    const ours = listOf(live);
    const theirs = listOf(applied);
    return ours.length === 0 && theirs.length === 0 ? applied : yield* mergeItems(shape, ours, theirs, pace);
  }
  const ours = membersOf(live);
  const theirs = membersOf(applied);
  if (isEmpty(ours) && isEmpty(theirs)) return applied;
  const merged = yield* copyingMembers(ours, pace);
  for (const name of Object.keys(theirs)) {
    if (pace.isPause()) yield;
    const member = shape.member(name);
    const before = Object.hasOwn(ours, name) ? ours[name] : undefined;
    setMember(
      merged,
      name,
      member === undefined || isScalar(before, theirs[name])
        ? theirs[name]
        : yield* mergeConfiguration(member.shape, before, theirs[name], pace),
    );
  }
  return merged;
}

/**
 * Merges two lists with unique items. The items of the applied list keep its order; items that only the live
 * list has keep their position between common items, and precede new ones.
 */
function* mergeItems(
  shape: Shape,
  live: readonly unknown[],
  applied: readonly unknown[],
  pace: Pace,
): Steps<unknown[]> {
  const ourElements = yield* elementsOf(shape, live, pace);
  const theirElements = yield* elementsOf(shape, applied, pace);
  const ours = new Map<PathElement, unknown>();
  // Duplicates of the live list cannot be merged.
  for (const [index, element] of ourElements.entries()) {
    if (pace.isPause()) yield;
    ours.set(element, ours.has(element) ? undefined : live[index]);
  }
  const theirs = new Set<PathElement>();
  const shared: PathElement[] = [];
  for (const element of theirElements) {
    if (pace.isPause()) yield;
    theirs.add(element);
    if (ours.has(element)) shared.push(element);
  }
  const done = new Set<PathElement>();
  const out: unknown[] = [];
  let nextShared = 0;
  let left = 0;
  let right = 0;
  while (left < live.length || right < applied.length) {
    if (pace.isPause()) yield;
    if (left < live.length && right < applied.length) {
      const element = ourElements[left]!;
      if (element === theirElements[right]) {
        done.add(element);
        out.push(yield* mergeItem(shape, ours.get(element), applied[right], pace));
        right += 1;
        left += 1;
        nextShared += 1;
        continue;
      }
      if (theirs.has(element) && nextShared < shared.length && shared[nextShared] !== element) {
        left += 1;
        continue;
      }
    }
    if (left < live.length) {
      const element = ourElements[left]!;
      if (!theirs.has(element)) {
        out.push(live[left]);
        left += 1;
        continue;
      }
      if (done.has(element)) left += 1;
    }
    if (right < applied.length) {
      const element = theirElements[right]!;
      done.add(element);
      out.push(yield* mergeItem(shape, ours.get(element), applied[right], pace));
      right += 1;
      if (shared[nextShared] === element) nextShared += 1;
    }
  }
  return out;
}

function* mergeItem(shape: Shape, live: unknown, applied: unknown, pace: Pace): Steps<unknown> {
  return shape.kind === 'set' ? applied : yield* mergeConfiguration(shape.item(), live, applied, pace);
}

function* elementsOf(shape: Shape, list: readonly unknown[], pace: Pace): Steps<PathElement[]> {
  const elements: PathElement[] = [];
  for (const item of list) {
    if (pace.isPause()) yield;
    elements.push(itemElement(shape, item));
  }
  return elements;
}

/** Whether neither of two values has parts to merge, and the applied one is not null. */
const isScalar = (live: unknown, applied: unknown): boolean =>
  applied !== undefined && typeof applied !== 'object' && typeof live !== 'object';

/**
 * Returns a plain tree without the members of the set, in steps; containers that become empty are null.
 */
export function* removeFields(
  shape: Shape,
  value: unknown,
  fields: FieldSet,
  pace = new Pace(),
): Steps<unknown> {
  if (fields.children.size === 0) return value;
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const item of value) {
      if (pace.isPause()) yield;
      const below = fields.children.get(itemElement(shape, item));
      if (below?.member !== true)
        kept.push(
          below === undefined || shape.kind !== 'keyed'
            ? item
            : yield* removeFields(shape.item(), item, below, pace),
        );
    }
    return kept.length === 0 ? null : kept;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept: Members = {};
  let some = false;
  for (const name of Object.keys(value)) {
    if (pace.isPause()) yield;
    const below = fields.children.get(fieldElement(name));
    if (below?.member === true) continue;
    const member = (value as Members)[name];
    const inside = below === undefined ? undefined : shape.member(name)?.shape;
    setMember(kept, name, inside === undefined ? member : yield* removeFields(inside, member, below!, pace));
    some = true;
  }
  return some ? kept : null;
}
