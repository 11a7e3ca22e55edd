import { isJsonObject } from '../model/json-object.ts';
import { getMember, RawJson } from '../model/object.ts';
import { equalValues } from './equal-values.ts';
import type { Member, Shape } from './shape.ts';

type Members = Record<string, unknown>;

/**
 * The value of an in-memory member in JSON.
 * @param namesOf returns the names of the members of a map
 */
export function jsonValueOf(
  { unset, omitsEmpty }: Member,
  value: unknown,
  namesOf: (members: object) => readonly string[] = Object.keys,
): unknown {
  if (value === undefined) return unset;
  if (!omitsEmpty) return value;
  if (value === '' || value === 0 || value === false) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  return value instanceof RawJson || namesOf(value).length > 0 ? value : undefined;
}

/**
 * Whether two in-memory values that are owned as a whole count as equal: structs and maps by their JSON, lists
 * as kube-apiserver compares them in memory, where an empty list or map is not an unset one.
 */
export function isSameInMemory(shape: Shape, before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) return isSameList(shape, before, after);
  return isSameStruct(shape, before, after, (member, left, right) =>
    isSameInMemory(member.shape, jsonValueOf(member, left), jsonValueOf(member, right)),
  );
}

function isSameList(shape: Shape, before: readonly unknown[], after: readonly unknown[]): boolean {
  const item = shape.kind === 'leaf' ? shape.inside?.() : shape.item();
  if (item === undefined || before.length !== after.length) return equalValues(before, after);
  return before.every((one, index) => isSameValue(item, one, after[index]));
}

function isSameValue(shape: Shape, before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) return isSameList(shape, before, after);
  return isSameStruct(shape, before, after, (member, left, right) =>
    isSameValue(member.shape, storedValueOf(member, left), storedValueOf(member, right)),
  );
}

/** The value of a member in memory in which unset scalars and structs have a zero value. */
function storedValueOf({ shape, unset, omitsEmpty }: Member, value: unknown): unknown {
  if (unset !== undefined) return value ?? unset;
  if (!omitsEmpty) return value;
  if (value === '' || value === 0 || value === false) return undefined;
  return value === undefined && structOf(shape) !== undefined ? {} : value;
}

/** The struct of a shape, also of one that is owned as a whole. */
function structOf(shape: Shape): Shape | undefined {
  const inside = shape.kind === 'leaf' ? shape.inside?.() : shape;
  return inside?.kind === 'struct' && shape.expects === 'map' ? inside : undefined;
}

function isSameStruct(
  shape: Shape,
  before: unknown,
  after: unknown,
  isSameMember: (member: Member, left: unknown, right: unknown) => boolean,
): boolean {
  const struct = structOf(shape);
  if (struct === undefined || !isJsonObject(before) || !isJsonObject(after))
    return equalValues(before, after);
  if (before instanceof RawJson || after instanceof RawJson) return equalValues(before, after);
  const [left, right] = [before as Members, after as Members];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) => {
    const [one, other] = [getMember(left, name), getMember(right, name)];
    if (one === other) return true;
    const member = struct.member(name);
    return member === undefined ? equalValues(one, other) : isSameMember(member, one, other);
  });
}
