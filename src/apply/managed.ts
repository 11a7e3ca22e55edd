import { type KubernetesObject, type ManagedFieldsEntry, RawJson } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { FieldSet } from './field-set.ts';
import { parseFieldsV1, serializeFieldsV1 } from './fields-v1.ts';

export type Operation = 'Apply' | 'Update';

/** A field manager: one entry of `metadata.managedFields`. */
export interface Manager {
  readonly name: string;
  readonly operation: Operation;
  /** API version of the fields. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly fields: FieldSet;
  /** RFC 3339, or undefined if the manager never changed the object. */
  readonly time: string | undefined;
}

/** Managers by their key. */
export type Managers = ReadonlyMap<string, Manager>;

/** Identity of a manager: an applier is the same in any version. */
export function managerKey({
  name,
  operation,
  apiVersion,
  subresource,
}: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>): string {
  return JSON.stringify([name, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Decodes entries to managers; undefined when one of them is invalid. */
export function* decodeManagers(
  entries: readonly ManagedFieldsEntry[] | undefined,
): Steps<Managers | undefined> {
  const managers = new Map<string, Manager>();
  let characters = 0;
  for (const {
    manager = '',
    operation = '',
    apiVersion = '',
    time,
    fieldsType = '',
    fieldsV1,
    subresource = '',
  } of entries ?? []) {
    const fields =
      (operation === 'Apply' || operation === 'Update') && apiVersion !== '' && fieldsType === 'FieldsV1'
        ? yield* parseFieldsV1(fieldsV1?.text ?? '{}')
        : undefined;
    if (fields === undefined) return undefined;
    characters += CHARACTERS_OF_ENTRY + (fieldsV1?.text.length ?? 0);
    if (characters > stepSizes.characters) {
      characters = 0;
      yield;
    }
    const decoded: Manager = {
      name: manager,
      operation: operation as Operation,
      apiVersion,
      subresource,
      fields,
      time: time ?? undefined,
    };
    managers.set(managerKey(decoded), decoded);
  }
  return managers;
}

/** The managers of an object; none when an entry is invalid. */
export function* managersOf(object: KubernetesObject | undefined): Steps<Managers> {
  return (yield* decodeManagers(object?.metadata?.managedFields)) ?? new Map();
}

/** What an entry takes besides its fields. */
const CHARACTERS_OF_ENTRY = 64;

/**
 * A list of one empty entry resets all ownership; for typed objects an empty list, too, which plain objects do
 * not keep apart from none.
 */
export function isOwnershipReset(
  entries: readonly ManagedFieldsEntry[] | undefined,
  { isTyped }: { readonly isTyped: boolean },
): boolean {
  if (entries === undefined || entries.length > 1 || (entries.length === 0 && !isTyped)) return false;
  return Object.values(entries[0] ?? {}).every(
    (member) => member === undefined || member === null || member === '',
  );
}

/** Entries in their order on the wire: appliers first, then by time, name, version and subresource. */
export function* encodeManagers(managers: Managers): Steps<ManagedFieldsEntry[] | undefined> {
  if (managers.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const { name, operation, apiVersion, subresource, fields, time } of [...managers.values()].sort(
    compareManagers,
  )) {
    entries.push({
      manager: name,
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: new RawJson(yield* serializeFieldsV1(fields)),
      ...(subresource === '' ? {} : { subresource }),
    });
  }
  return entries;
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Maximum update managers of an object. */
export const MAXIMUM_UPDATERS = 10;
const OLD_UPDATES = 'ancient-changes';

/** Merges the oldest updaters of a version into one while there are too many; appliers are never merged. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let count = updaters.length;
  if (count <= MAXIMUM_UPDATERS) return managers;
  const folded = new Map(managers);
  const firstOf = new Map<string, string>();
  // Merged at the end: incremental merging would copy the result once for each updater.
  const joined = new Map<string, FieldSet[]>();
  updaters.sort(
    ([leftKey, left], [rightKey, right]) =>
      compareText(left.time ?? '', right.time ?? '') || compareText(leftKey, rightKey),
  );
  for (const [key, manager] of updaters) {
    if (count <= MAXIMUM_UPDATERS) break;
    const { apiVersion, time } = manager;
    const first = firstOf.get(apiVersion);
    if (first === undefined) {
      firstOf.set(apiVersion, key);
      continue;
    }
    const identity = { name: OLD_UPDATES, operation: 'Update' as const, apiVersion, subresource: '' };
    const bucketKey = managerKey(identity);
    const bucket = folded.get(bucketKey) ?? folded.get(first)!;
    if (!folded.has(bucketKey)) folded.delete(first);
    folded.delete(key);
    folded.set(bucketKey, { ...identity, fields: bucket.fields, time });
    const parts = joined.get(bucketKey);
    if (parts === undefined) joined.set(bucketKey, [bucket.fields, manager.fields]);
    else parts.push(manager.fields);
    count -= 1;
  }
  for (const [key, parts] of joined)
    folded.set(key, { ...folded.get(key)!, fields: FieldSet.unionOf(parts) });
  return folded;
}
