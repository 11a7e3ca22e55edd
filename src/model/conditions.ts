import type { Condition as StoredCondition } from './generated/meta-v1.ts';

type Compared = Pick<StoredCondition, 'status' | 'reason' | 'message'>;

/** Whether two conditions are equal, apart from their times. */
export const isSameCondition = (current: Compared | undefined, desired: Compared): boolean =>
  current?.status === desired.status &&
  current?.reason === desired.reason &&
  current?.message === desired.message;

/** A condition before it is stored, without its time. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

type Conditions = readonly StoredCondition[] | undefined;

export const findCondition = (conditions: Conditions, type: string): StoredCondition | undefined =>
  conditions?.find((condition) => condition.type === type);

export const isConditionTrue = (conditions: Conditions, type: string): boolean =>
  findCondition(conditions, type)?.status === 'True';

/** Whether the condition is already stored with the same status, reason and message. */
export const hasCondition = (conditions: Conditions, condition: Condition): boolean =>
  isSameCondition(findCondition(conditions, condition.type), condition);

/**
 * Returns the conditions with one of them replaced in its place, or appended. The time of the last transition
 * changes with the status only.
 * @param now RFC 3339 in seconds
 */
export function setCondition(conditions: Conditions, condition: Condition, now: string): StoredCondition[] {
  const known = findCondition(conditions, condition.type);
  if (known === undefined) return [...(conditions ?? []), { ...condition, lastTransitionTime: now }];
  const kept = known.status === condition.status ? known.lastTransitionTime : undefined;
  return conditions!.map((one) =>
    one === known ? { ...known, ...condition, lastTransitionTime: kept ?? now } : one,
  );
}

/** Returns the conditions without those of a type. */
export const removeCondition = (conditions: Conditions, type: string): StoredCondition[] =>
  (conditions ?? []).filter((condition) => condition.type !== type);
