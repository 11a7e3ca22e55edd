import { duplicateFormatted, type FieldError, invalidFormatted } from '../../status/field-error.ts';
import { valueText } from './go-text.ts';
import { Identities } from './identities.ts';
import { isContainer, type JsonObject } from './json.ts';
import type { Node } from './node.ts';
import { pathText } from './places.ts';
import type { Steps } from './steps.ts';
import type { ValueSchema } from './value-schema.ts';
import { inOrder, type Visit, walkAll, walkingAll } from './walk.ts';

/** Maximum number of reported errors. */
const MAXIMUM_ERRORS = 10_000;

/** Finds repeated elements of sets and repeated keys of map lists. */
class Uniqueness {
  readonly errors: FieldError[] = [];
  private readonly identities = new Identities();

  constructor(private readonly field: string) {}

  readonly visit = ({ value, node, place }: Visit, rest: Visit[]): number => {
    if (node === undefined) return 0;
    const from = rest.length;
    if (Array.isArray(value)) {
      this.checkList(value, node.schema, place);
      const { items } = node;
      if (items?.contents.hasUniqueLists !== true) return value.length;
      for (let index = 0; index < value.length; index += 1) {
        const element = value[index] as unknown;
        if (isContainer(element))
          rest.push({ value: element, node: items, place: { parent: place, key: index } });
      }
      inOrder(rest, from);
      return value.length;
    }
    const names = Object.keys(value);
    for (const name of names) {
      const member = (value as JsonObject)[name];
      if (!isContainer(member)) continue;
      const inner = node.valueOf(name);
      if (inner?.contents.hasUniqueLists !== true) continue;
      const isMapKey = node.member(name) === undefined;
      rest.push({ value: member, node: inner, place: { parent: place, key: name, isMapKey } });
    }
    inOrder(rest, from);
    return names.length;
  };

  private checkList(list: readonly unknown[], schema: ValueSchema, place: Visit['place']): void {
    if (schema.listType === 'set') this.reportRepeats(list, place);
    if (schema.listType !== 'map') return;
    const index = list.findIndex(
      (element) => element !== null && (!isContainer(element) || Array.isArray(element)),
    );
    if (index >= 0) {
      this.errors.push(
        invalidFormatted(
          this.fieldOf(place, index),
          valueText(list[index]),
          'must be an object for an array of list-type map',
        ),
      );
      return;
    }
    const { listMapKeys = [] } = schema;
    if (list.length > 1)
      this.reportRepeats(
        list.map((element) => keysOf(element, listMapKeys)),
        place,
      );
  }

  /** Reports the second of equal elements; further ones are not reported, as in the reference. */
  private reportRepeats(list: readonly unknown[], place: Visit['place']): void {
    if (list.length < 2) return;
    const times = new Map<string, number>();
    for (let index = 0; index < list.length; index += 1) {
      const identity = this.identities.of(list[index]);
      const count = (times.get(identity) ?? 0) + 1;
      times.set(identity, count);
      if (count !== 2 || this.errors.length >= MAXIMUM_ERRORS) continue;
      this.errors.push(duplicateFormatted(this.fieldOf(place, index), valueText(list[index])));
    }
  }

  private fieldOf(place: Visit['place'], index: number): string {
    return pathText({ parent: place, key: index }, this.field);
  }
}

function keysOf(element: unknown, keys: readonly string[]): JsonObject {
  const identity = Object.create(null) as JsonObject;
  if (!isContainer(element)) return identity;
  for (const key of keys) if (Object.hasOwn(element, key)) identity[key] = (element as JsonObject)[key];
  return identity;
}

/**
 * Validates list types: sets have unique elements, maps have elements with unique keys. Values of the wrong
 * type are ignored, except elements of maps that are no objects.
 * @param old the object before an update: if it has any such fault, none is reported
 */
export function validateListTypes(node: Node, value: unknown, field: string, old?: unknown): FieldError[] {
  const errors = repeatsOf(node, value, field);
  return errors.length > 0 && old !== undefined && repeatsOf(node, old, field).length > 0 ? [] : errors;
}

function repeatsOf(node: Node, value: unknown, field: string): FieldError[] {
  const uniqueness = new Uniqueness(field);
  if (isContainer(value) && node.contents.hasUniqueLists)
    walkAll<Visit>({ value, node, place: undefined }, uniqueness.visit);
  return uniqueness.errors;
}

/** {@link validateListTypes} in steps of a few milliseconds. */
export function* validatingListTypes(
  node: Node,
  value: unknown,
  field: string,
  old?: unknown,
): Steps<FieldError[]> {
  const errors = yield* findingRepeats(node, value, field);
  if (errors.length === 0 || old === undefined) return errors;
  return (yield* findingRepeats(node, old, field)).length > 0 ? [] : errors;
}

function* findingRepeats(node: Node, value: unknown, field: string): Steps<FieldError[]> {
  const uniqueness = new Uniqueness(field);
  if (isContainer(value) && node.contents.hasUniqueLists)
    yield* walkingAll<Visit>({ value, node, place: undefined }, uniqueness.visit);
  return uniqueness.errors;
}
