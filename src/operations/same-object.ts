import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';
import { isContainer } from '../schema/structural/json.ts';
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
  if (hasOtherValue({ ...object, metadata: undefined }, { ...old, metadata: undefined })) return false;
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
  const rest: unknown[] = [object, old];
  for (let left = MAXIMUM_VALUES; rest.length > 0 && left > 0; left -= 1) {
    const before = rest.pop();
    const after = rest.pop();
    if (after === before) continue;
    if (!isContainer(after) || !isContainer(before)) {
      if (typeof after === typeof before && !isContainer(after) && !isContainer(before)) return true;
    } else if (ArrayBuffer.isView(after) || ArrayBuffer.isView(before)) {
      if (after instanceof Uint8Array && before instanceof Uint8Array && Buffer.compare(after, before) !== 0)
        return true;
    } else if (Array.isArray(after) && Array.isArray(before)) {
      if (after.length !== before.length) return true;
      for (let index = 0; index < after.length && index < left; index += 1)
        rest.push(after[index], before[index]);
    } else
      for (const [name, member] of Object.entries(after))
        if (Object.hasOwn(before, name)) rest.push(member, (before as Record<string, unknown>)[name]);
  }
  return false;
}
