import { membersOf } from '../model/json-object.ts';
import { setMember } from '../model/object.ts';
import { itemElement } from './elements.ts';
import type { FieldSet } from './field-set.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { type Shape, shapeOfValues } from './shape.ts';

type Members = Record<string, unknown>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isEmpty = (members: Members): boolean => Object.keys(members).length === 0;

/**
 * Merges an applied configuration into a live object, both plain trees. Neither is modified; the result
 * shares parts with both.
 */
export function mergeConfiguration(declared: Shape, live: unknown, applied: unknown): unknown {
  if (applied === undefined) return live;
  // An applied null has the form of the live value.
  const shape = shapeOfValues(declared, applied ?? live);
  if (shape.kind === 'leaf') return applied;
  if (shape.kind === 'keyed' || shape.kind === 'set') {
    const ours = listOf(live);
    const theirs = listOf(applied);
    return ours.length === 0 && theirs.length === 0 ? applied : mergeItems(shape, ours, theirs);
  }
  const ours = membersOf(live);
  const theirs = membersOf(applied);
  if (isEmpty(ours) && isEmpty(theirs)) return applied;
  const merged: Members = { ...ours };
  for (const name of Object.keys(theirs)) {
    const member = shape.member(name);
    const before = Object.hasOwn(ours, name) ? ours[name] : undefined;
    setMember(
      merged,
      name,
      member === undefined ? theirs[name] : mergeConfiguration(member.shape, before, theirs[name]),
    );
  }
  return merged;
}

/**
 * Merges two lists with unique items. The items of the applied list keep its order; items that only the live
 * list has keep their position between common items, and precede new ones.
 */
function mergeItems(shape: Shape, live: readonly unknown[], applied: readonly unknown[]): unknown[] {
  const ourElements = live.map((item) => itemElement(shape, item));
  const theirElements = applied.map((item) => itemElement(shape, item));
  const ours = new Map<PathElement, unknown>();
  // Duplicates of the live list cannot be merged.
  for (const [index, element] of ourElements.entries())
    ours.set(element, ours.has(element) ? undefined : live[index]);
  const theirs = new Set(theirElements);
  const shared = theirElements.filter((element) => ours.has(element));
  const done = new Set<PathElement>();
  const out: unknown[] = [];
  let nextShared = 0;
  let left = 0;
  let right = 0;
  const appendItem = (element: PathElement): void => {
    done.add(element);
    out.push(
      shape.kind === 'set'
        ? applied[right]
        : mergeConfiguration(shape.item(), ours.get(element), applied[right]),
    );
    right += 1;
  };
  while (left < live.length || right < applied.length) {
    if (left < live.length && right < applied.length) {
      const element = ourElements[left]!;
      if (element === theirElements[right]) {
        appendItem(element);
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
      appendItem(element);
      if (shared[nextShared] === element) nextShared += 1;
    }
  }
  return out;
}

/** Returns a plain tree without the members of the set; containers that become empty are null. */
export function removeFields(shape: Shape, value: unknown, fields: FieldSet): unknown {
  if (fields.children.size === 0) return value;
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const item of value) {
      const below = fields.children.get(itemElement(shape, item));
      if (below?.member !== true)
        kept.push(
          below === undefined || shape.kind !== 'keyed' ? item : removeFields(shape.item(), item, below),
        );
    }
    return kept.length === 0 ? null : kept;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept: Members = {};
  let some = false;
  for (const name of Object.keys(value)) {
    const below = fields.children.get(fieldElement(name));
    if (below?.member === true) continue;
    const member = (value as Members)[name];
    const inside = below === undefined ? undefined : shape.member(name)?.shape;
    setMember(kept, name, inside === undefined ? member : removeFields(inside, member, below!));
    some = true;
  }
  return some ? kept : null;
}
