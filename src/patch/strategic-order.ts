import { isJsonObject } from '../model/json-object.ts';
import { getMember } from '../model/object.ts';
import { plainText } from '../schema/structural/go-text.ts';
import { badPatch, missingMergeKey, PATCH_DIRECTIVE } from './strategic-directives.ts';

/**
 * Identity of an item: the value of its merge key, or the item itself in a list of scalars.
 * @throws ApiError when the key is missing
 */
export function identityOf(item: unknown, mergeKey: string | undefined): unknown {
  if (mergeKey === undefined) return item;
  const identity = isJsonObject(item) ? getMember(item, mergeKey) : undefined;
  if (identity === undefined) throw missingMergeKey(item, mergeKey);
  return identity;
}

const indexByIdentity = (list: readonly unknown[], mergeKey: string | undefined): Map<unknown, number> => {
  const index = new Map<unknown, number>();
  for (const [position, item] of list.entries()) {
    const identity = identityOf(item, mergeKey);
    if (!index.has(identity)) index.set(identity, position);
  }
  return index;
};

/**
 * Orders the items of a merged list: those of the patch in the patch's order, the others in their stored
 * order. Where both lists define an order between two neighbours the stored one takes precedence, otherwise
 * the patch's items come first.
 */
export function orderItems(
  merged: readonly unknown[],
  wanted: readonly unknown[],
  stored: readonly unknown[],
  mergeKey: string | undefined,
): unknown[] {
  const wantedAt = indexByIdentity(wanted, mergeKey);
  const storedAt = indexByIdentity(stored, mergeKey);
  const ours: { item: unknown; order: number; place: number | undefined }[] = [];
  const others: { item: unknown; order: number; place: number | undefined }[] = [];
  for (const item of merged) {
    const identity = identityOf(item, mergeKey);
    const order = wantedAt.get(identity);
    const place = storedAt.get(identity);
    if (order === undefined) others.push({ item, order: place ?? Number.MAX_SAFE_INTEGER, place });
    else ours.push({ item, order, place });
  }
  ours.sort((a, b) => a.order - b.order);
  others.sort((a, b) => a.order - b.order);
  const result: unknown[] = [];
  let next = 0;
  for (const our of ours) {
    while (
      next < others.length &&
      others[next]!.place !== undefined &&
      our.place !== undefined &&
      others[next]!.place! < our.place
    )
      result.push(others[next++]!.item);
    result.push(our.item);
  }
  for (; next < others.length; next += 1) result.push(others[next]!.item);
  return result;
}

/**
 * Checks that the items of the patch appear in `$setElementOrder`, in its order.
 * @throws ApiError when they don't
 */
export function checkOrder(
  patch: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string | undefined,
): void {
  if (patch.length === 0 || order.length === 0) return;
  const set = patch.filter(
    (item) => mergeKey === undefined || !isJsonObject(item) || getMember(item, PATCH_DIRECTIVE) === undefined,
  );
  let found = 0;
  for (const entry of order) {
    if (found < set.length && identityOf(set[found], mergeKey) === identityOf(entry, mergeKey)) found += 1;
  }
  if (found < set.length)
    throw badPatch(
      `The order in patch list:\n${plainText(patch)}\n doesn't match $setElementOrder list:\n${plainText(order)}\n`,
    );
}
