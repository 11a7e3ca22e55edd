import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';
import { isContainer } from '../schema/structural/json.ts';
import { pauseIfLarge } from '../steps/run.ts';
import type { OperationContext } from './environment.ts';
import { sameOwnership } from './ownership.ts';

/**
 * Returns whether an update changes nothing but the times of managers that wrote their fields again, which needs
 * no new version.
 * @param old the stored object, of the record
 */
export async function onlyTimesDiffer(
  { request, resource: { conversion } }: OperationContext,
  object: KubernetesObject,
  old: KubernetesObject,
  record: CacheRecord,
): Promise<boolean> {
  const managedFields = old.metadata?.managedFields;
  if (!sameOwnership(object.metadata?.managedFields, managedFields)) return false;
  // Most updates change a value, which is found sooner than by encoding the object again.
  await pauseIfLarge(request);
  if (hasOtherValue({ ...object, metadata: undefined }, { ...old, metadata: undefined })) return false;
  await pauseIfLarge(request);
  const value = await conversion.store(
    { ...object, metadata: { ...object.metadata, managedFields } },
    request,
  );
  return Buffer.compare(value, record.value) === 0;
}

/** Pairs of values that are looked at; beyond them nothing is found. */
const MAXIMUM_VALUES = 8192;

/**
 * Returns whether two objects certainly differ: a list has another length, or a scalar another value. False also
 * where members are missing, which may be encoded like empty ones.
 */
export function hasOtherValue(object: unknown, old: unknown): boolean {
  const rest: object[] = [];
  let left = MAXIMUM_VALUES;
  const differ = (after: unknown, before: unknown): boolean => {
    left -= 1;
    if (after === before) return false;
    if (isContainer(after) && isContainer(before)) rest.push(after, before);
    return typeof after === typeof before && !isContainer(after) && !isContainer(before);
  };
  if (differ(object, old)) return true;
  while (rest.length > 0 && left > 0) {
    const before = rest.pop()!;
    const after = rest.pop()!;
    if (ArrayBuffer.isView(after) || ArrayBuffer.isView(before)) {
      if (after instanceof Uint8Array && before instanceof Uint8Array && Buffer.compare(after, before) !== 0)
        return true;
    } else if (Array.isArray(after) && Array.isArray(before)) {
      if (after.length !== before.length) return true;
      for (let index = 0; index < after.length && left > 0; index += 1)
        if (differ(after[index], before[index])) return true;
    } else
      for (const name in after) {
        if (left <= 0) break;
        if (Object.hasOwn(before, name) && differ(memberOf(after, name), memberOf(before, name))) return true;
      }
  }
  return false;
}

const memberOf = (object: object, name: string): unknown => (object as Record<string, unknown>)[name];
