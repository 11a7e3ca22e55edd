/** The common members of conditions. */
export interface Condition {
  type?: string;
  status?: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

/** Whether two conditions are equal, apart from their times. */
export const isSameCondition = (current: Condition | undefined, desired: Condition): boolean =>
  current?.status === desired.status &&
  current?.reason === desired.reason &&
  current?.message === desired.message;
