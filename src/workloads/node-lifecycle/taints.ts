import type { Node, Taint } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';

const NODE = 'node.kubernetes.io/';
export const NOT_READY = `${NODE}not-ready`;
export const UNREACHABLE = `${NODE}unreachable`;
/** The taints that say that a node is not ready. */
export const NO_EXECUTE_KEYS = [NOT_READY, UNREACHABLE] as const;
export type NotReadyKey = (typeof NO_EXECUTE_KEYS)[number];

/** The taints that keep Pods from a node, by the condition and its status that they follow from. */
const BY_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: `${NODE}memory-pressure` },
  DiskPressure: { True: `${NODE}disk-pressure` },
  NetworkUnavailable: { True: `${NODE}network-unavailable` },
  PIDPressure: { True: `${NODE}pid-pressure` },
};
const UNSCHEDULABLE = `${NODE}unschedulable`;
const FOLLOWING: ReadonlySet<string> = new Set([
  UNSCHEDULABLE,
  ...Object.values(BY_CONDITION).flatMap((keys) => Object.values(keys)),
]);

/** The taint of a node that is not ready. */
export const notReadyKey = (ready: 'False' | 'Unknown'): NotReadyKey =>
  ready === 'False' ? NOT_READY : UNREACHABLE;

/** The keys of taints `NoSchedule` that a node must have and must not have; undefined if that is so. */
export function taintChanges({
  spec,
  status,
}: Node): { readonly missing: readonly string[]; readonly surplus: readonly string[] } | undefined {
  const wanted = (status?.conditions ?? []).flatMap(
    ({ type = '', status: value = '' }) => BY_CONDITION[type]?.[value] ?? [],
  );
  if (spec?.unschedulable === true) wanted.push(UNSCHEDULABLE);
  const present = (spec?.taints ?? []).flatMap(({ key = '', effect }) =>
    effect === 'NoSchedule' && FOLLOWING.has(key) ? [key] : [],
  );
  const missing = wanted.filter((key) => !present.includes(key));
  const surplus = present.filter((key) => !wanted.includes(key));
  return missing.length + surplus.length === 0 ? undefined : { missing, surplus };
}

/**
 * The taints of a node with others of an effect.
 * @param now milliseconds since 1970, when taints are added
 */
export function changedTaints(
  { spec }: Node,
  effect: 'NoSchedule' | 'NoExecute',
  { missing, surplus }: { readonly missing: readonly string[]; readonly surplus: readonly string[] },
  now: number,
): Taint[] {
  const kept = (spec?.taints ?? []).filter(
    (taint) => taint.effect !== effect || !surplus.includes(taint.key ?? ''),
  );
  return [...kept, ...missing.map((key) => ({ key, effect, timeAdded: formatTime(now) }))];
}
