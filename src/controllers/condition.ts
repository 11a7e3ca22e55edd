/** What conditions of all kinds have in common. */
export interface Condition {
  type?: string;
  status?: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

/** Whether a condition says what it shall say; its time doesn't matter. */
export const isSameCondition = (current: Condition | undefined, wanted: Condition): boolean =>
  current?.status === wanted.status &&
  current?.reason === wanted.reason &&
  current?.message === wanted.message;
