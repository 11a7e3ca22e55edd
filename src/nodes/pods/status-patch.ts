import type { Pod, PodCondition, PodStatus } from '../../model/generated/core-v1.ts';
import { equalJson } from '../../schema/structural/index.ts';

/** A strategic merge patch of `pods/status`. */
export interface StatusPatch {
  /** The Pod with this uid only. */
  readonly metadata: { readonly uid: string };
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * What changes the status of a Pod into the one that its node says. Conditions of other types and members that other
 * components write are left alone.
 * @returns undefined if there is nothing to change
 */
export function statusPatch(
  { metadata, status: present = {} }: Pod,
  wanted: PodStatus,
): StatusPatch | undefined {
  const status: Record<string, unknown> = {};
  let isChanged = false;
  const change = (name: string, value: unknown): void => {
    status[name] = value;
    isChanged = true;
  };
  for (const name of Object.keys(wanted) as (keyof PodStatus)[])
    if (name !== 'conditions' && !isEqual(present[name], wanted[name]))
      change(
        name,
        ADDRESSES.has(name) && present[name] !== undefined ? replaced(wanted[name]) : wanted[name],
      );
  // A phase that is written again may have no reason any more.
  for (const name of ['reason', 'message'] as const)
    if (present[name] !== undefined && wanted[name] === undefined) change(name, null);
  const conditions = changedConditions(present.conditions ?? [], wanted.conditions ?? []);
  if (conditions.length > 0) change('conditions', conditions);
  return isChanged ? { metadata: { uid: metadata?.uid ?? '' }, status } : undefined;
}

/** Lists that are merged by their addresses. */
const ADDRESSES: ReadonlySet<string> = new Set(['hostIPs', 'podIPs']);

/** A list that replaces the present one. */
const replaced = (list: unknown): unknown[] => [...(list as unknown[]), { $patch: 'replace' }];

/** The conditions that differ. A reason or message that is no more is null, which removes it. */
function changedConditions(present: readonly PodCondition[], wanted: readonly PodCondition[]): object[] {
  return wanted
    .filter((condition) => {
      const before = present.find(({ type }) => type === condition.type);
      return (
        before?.status !== condition.status ||
        before?.reason !== condition.reason ||
        before?.message !== condition.message ||
        (condition.observedGeneration ?? before?.observedGeneration) !== before?.observedGeneration
      );
    })
    .map((condition) => {
      const before = present.find(({ type }) => type === condition.type);
      return {
        ...condition,
        ...(before?.reason !== undefined && condition.reason === undefined && { reason: null }),
        ...(before?.message !== undefined && condition.message === undefined && { message: null }),
      };
    });
}

const isEqual = (present: unknown, wanted: unknown): boolean =>
  present === wanted || (typeof wanted === 'object' && equalJson(present, wanted));
