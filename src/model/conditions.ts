import type { Condition } from './generated/meta-v1.ts';

type Compared = Pick<Condition, 'status' | 'reason' | 'message'>;

/** Whether two conditions are equal, apart from their times. */
export const isSameCondition = (current: Compared | undefined, desired: Compared): boolean =>
  current?.status === desired.status &&
  current?.reason === desired.reason &&
  current?.message === desired.message;
