import { duplicateFormatted, type FieldError, invalidFormatted } from '../../status/field-error.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import { valueText } from './go-text.ts';
import { Identities, scalarIdentity } from './identities.ts';
import { isContainer, type JsonObject } from './json.ts';
import type { Node } from './node.ts';
import { type Place, pathText } from './places.ts';
import type { ValueSchema } from './value-schema.ts';
import { inOrder, type Visit } from './walk.ts';

/** Maximum number of reported errors. */
const MAXIMUM_ERRORS = 10_000;

/** Finds repeated elements of sets and repeated keys of map lists. */
class Uniqueness {
  readonly errors: FieldError[] = [];
  private identities: Identities | undefined;
  private readonly pace = new Pace(stepSizes.values);

  constructor(private readonly field: string) {}

  *finding(first: Visit): Steps<FieldError[]> {
    const rest: Visit[] = [first];
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
      const { value, node, place } = one;
      if (node === undefined) continue;
      const from = rest.length;
      if (Array.isArray(value)) {
        if (node.schema.listType === 'set') yield* this.findRepeats(value, undefined, place);
        else if (node.schema.listType === 'map') yield* this.checkMap(value, node.schema, place);
        pushElements(value, node.items, place, rest);
      } else pushMembers(value as JsonObject, node, place, rest);
      inOrder(rest, from);
      if (this.pace.isPause(1 + rest.length - from)) yield;
    }
    return this.errors;
  }

  private *checkMap(list: readonly unknown[], schema: ValueSchema, place: Place | undefined): Steps<void> {
    const index = list.findIndex(
      (element) => element !== null && (!isContainer(element) || Array.isArray(element)),
    );
    if (index < 0) {
      yield* this.findRepeats(list, schema.listMapKeys ?? [], place);
      return;
    }
    const detail = 'must be an object for an array of list-type map';
    this.errors.push(invalidFormatted(this.fieldOf(place, index), valueText(list[index]), detail));
  }

  /**
   * Reports the second of equal elements; further ones are not reported, as in the reference.
   * @param keys the elements are compared by these members; undefined: as a whole
   */
  private *findRepeats(
    list: readonly unknown[],
    keys: readonly string[] | undefined,
    place: Place | undefined,
  ): Steps<void> {
    if (list.length < 2) return;
    const seen = new Set<string>();
    const reported = new Set<string>();
    const key = keys?.length === 1 ? keys[0] : undefined;
    for (let index = 0; index < list.length; index += 1) {
      if (this.pace.isPause()) yield;
      const element = list[index];
      const part =
        keys === undefined ? element : key === undefined ? keysOf(element, keys) : ownMember(element, key);
      let identity: string;
      if (isContainer(part)) {
        this.identities ??= new Identities();
        identity = yield* this.identities.finding(part);
      } else identity = typeof part === 'string' ? `"${part}` : scalarIdentity(part);
      if (!seen.has(identity)) {
        seen.add(identity);
        continue;
      }
      if (reported.has(identity) || this.errors.length >= MAXIMUM_ERRORS) continue;
      reported.add(identity);
      const shown = valueText(keys === undefined ? element : keysOf(element, keys));
      this.errors.push(duplicateFormatted(this.fieldOf(place, index), shown));
    }
  }

  private fieldOf(place: Place | undefined, index: number): string {
    return pathText({ parent: place, key: index }, this.field);
  }
}

function pushElements(
  list: readonly unknown[],
  items: Node | undefined,
  place: Place | undefined,
  rest: Visit[],
): void {
  if (items?.contents.hasUniqueLists !== true) return;
  for (let index = 0; index < list.length; index += 1) {
    const value = list[index];
    if (isContainer(value)) rest.push({ value, node: items, place: { parent: place, key: index } });
  }
}

function pushMembers(object: JsonObject, node: Node, place: Place | undefined, rest: Visit[]): void {
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (!isContainer(value)) continue;
    const inner = node.valueOf(name);
    if (inner?.contents.hasUniqueLists !== true) continue;
    const isMapKey = node.member(name) === undefined;
    rest.push({ value, node: inner, place: { parent: place, key: name, isMapKey } });
  }
}

const ownMember = (element: unknown, name: string): unknown =>
  isContainer(element) && Object.hasOwn(element, name) ? (element as JsonObject)[name] : undefined;

function keysOf(element: unknown, keys: readonly string[]): JsonObject {
  const identity = Object.create(null) as JsonObject;
  for (const key of keys) {
    const value = ownMember(element, key);
    if (value !== undefined) identity[key] = value;
  }
  return identity;
}

/**
 * Validates list types in steps: sets have unique elements, maps have elements with unique keys. Values of the
 * wrong type are ignored, except elements of maps that are no objects.
 * @param old the object before an update: if it has any such fault, none is reported
 */
export function* validateListTypes(
  node: Node,
  value: unknown,
  field: string,
  old?: unknown,
): Steps<FieldError[]> {
  if (!node.contents.hasUniqueLists || !isContainer(value)) return [];
  const errors = yield* new Uniqueness(field).finding({ value, node, place: undefined });
  if (errors.length === 0 || !isContainer(old)) return errors;
  const before = yield* new Uniqueness(field).finding({ value: old, node, place: undefined });
  return before.length > 0 ? [] : errors;
}
