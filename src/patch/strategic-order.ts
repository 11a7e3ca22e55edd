import { isJsonObject } from '../model/json-object.ts';
import { getMember } from '../model/object.ts';
import { plainText } from '../schema/structural/go-text.ts';
import type { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
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

function* indexByIdentity(
  list: readonly unknown[],
  mergeKey: string | undefined,
  pace: Pace,
): Steps<Map<unknown, number>> {
  const index = new Map<unknown, number>();
  for (const [position, item] of list.entries()) {
    if (pace.isPause()) yield;
    const identity = identityOf(item, mergeKey);
    if (!index.has(identity)) index.set(identity, position);
  }
  return index;
}

/** An item of a merged list. */
interface Placed {
  readonly item: unknown;
  /** Its position in the list that decides about its order. */
  readonly order: number;
  /** Its position in the stored list. */
  readonly place: number | undefined;
}

/** Sorts by the order, which is at most `size`. Stable; in linear time, unlike a sort that compares. */
function byOrder(items: readonly Placed[], size: number): Placed[] {
  const next = new Uint32Array(size + 2);
  for (const { order } of items) next[order + 1]! += 1;
  for (let order = 1; order < next.length; order += 1) next[order]! += next[order - 1]!;
  const sorted: Placed[] = new Array(items.length);
  for (const item of items) {
    sorted[next[item.order]!] = item;
    next[item.order]! += 1;
  }
  return sorted;
}

/**
 * Orders the items of a merged list: those of the patch in the patch's order, the others in their stored
 * order. Where both lists define an order between two neighbours the stored one takes precedence, otherwise
 * the patch's items come first.
 */
export function* orderItems(
  merged: readonly unknown[],
  wanted: readonly unknown[],
  stored: readonly unknown[],
  mergeKey: string | undefined,
  pace: Pace,
): Steps<unknown[]> {
  const wantedAt = yield* indexByIdentity(wanted, mergeKey, pace);
  const storedAt = yield* indexByIdentity(stored, mergeKey, pace);
  const unorderedOurs: Placed[] = [];
  const unorderedOthers: Placed[] = [];
  for (const item of merged) {
    if (pace.isPause()) yield;
    const identity = identityOf(item, mergeKey);
    const order = wantedAt.get(identity);
    const place = storedAt.get(identity);
    if (order === undefined) unorderedOthers.push({ item, order: place ?? stored.length, place });
    else unorderedOurs.push({ item, order, place });
  }
  const ours = byOrder(unorderedOurs, wanted.length);
  const others = byOrder(unorderedOthers, stored.length);
  const result: unknown[] = [];
  let next = 0;
  for (const our of ours) {
    if (pace.isPause()) yield;
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
export function* checkOrder(
  patch: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string | undefined,
  pace: Pace,
): Steps<void> {
  if (patch.length === 0 || order.length === 0) return;
  const set = patch.filter(
    (item) => mergeKey === undefined || !isJsonObject(item) || getMember(item, PATCH_DIRECTIVE) === undefined,
  );
  let found = 0;
  for (const entry of order) {
    if (pace.isPause()) yield;
    if (found < set.length && identityOf(set[found], mergeKey) === identityOf(entry, mergeKey)) found += 1;
  }
  if (found < set.length)
    throw badPatch(
      `The order in patch list:\n${plainText(patch)}\n doesn't match $setElementOrder list:\n${plainText(order)}\n`,
    );
}

/** The scalars of both lists, each once. */
export function* uniqueOf(
  current: readonly unknown[],
  change: readonly unknown[],
  pace: Pace,
): Steps<unknown[]> {
  const unique = new Set<unknown>();
  for (const list of [current, change])
    for (const item of list) {
      if (pace.isPause()) yield;
      unique.add(item);
    }
  return [...unique];
}
