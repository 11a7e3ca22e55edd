import type { Node, Pod } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { isManaged } from '../../reconcile/managed.ts';

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** What may make a Pod garbage. */
export interface PodTraits {
  readonly node: string;
  readonly isTerminating: boolean;
  readonly isFinished: boolean;
  /** It was evicted: such Pods are collected before others. */
  readonly isEvicted: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The traits of a Pod; undefined for one that is left alone. */
export function traitsOf({ metadata = {}, spec, status }: Pod): PodTraits | undefined {
  if (!isManaged(metadata)) return undefined;
  const { creationTimestamp } = metadata;
  return {
    node: spec?.nodeName ?? '',
    isTerminating: metadata.deletionTimestamp !== undefined,
    isFinished: status?.phase === 'Succeeded' || status?.phase === 'Failed',
    isEvicted: status?.phase === 'Failed' && status.reason === 'Evicted',
    createdAt: typeof creationTimestamp === 'string' ? timeToMilliseconds(creationTimestamp) : 0,
  };
}

/** Whether an administrator says that a node is shut down for good, and it is not ready. */
export function isOutOfService({ spec, status }: Node): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  return ready !== 'True' && (spec?.taints ?? []).some(({ key }) => key === OUT_OF_SERVICE);
}

/** The finished Pods beyond a number: evicted ones first, then the oldest. @param threshold 0: none */
export function surplus<Entry extends { readonly traits: PodTraits; readonly key: string }>(
  finished: readonly Entry[],
  threshold: number,
): Entry[] {
  const count = finished.length - threshold;
  if (threshold <= 0 || count <= 0) return [];
  return [...finished]
    .sort(
      ({ traits: left, key: leftKey }, { traits: right, key: rightKey }) =>
        Number(right.isEvicted) - Number(left.isEvicted) ||
        left.createdAt - right.createdAt ||
        (leftKey < rightKey ? -1 : 1),
    )
    .slice(0, count);
}
