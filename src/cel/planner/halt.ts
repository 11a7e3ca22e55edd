/** The reason why an evaluation was stopped, other than an error of the expression. */
export type HaltReason =
  /** It exceeded its own cost limit. */
  | 'limit'
  /** It exceeded the budget shared with others. */
  | 'budget'
  /** Its deadline passed. */
  | 'deadline'
  /** It waits for a pending authorization decision. */
  | 'suspended';

/**
 * Thrown through an evaluation to stop it; expressions cannot absorb it. It captures no stack because
 * evaluations can be stopped often.
 */
export class Halt {
  readonly reason: HaltReason;
  /** For a suspended evaluation: settles when it can be restarted. */
  readonly until: Promise<unknown> | undefined;

  constructor(reason: HaltReason, until?: Promise<unknown>) {
    this.reason = reason;
    this.until = until;
  }
}

/** The error messages of stopped evaluations. */
export const HALT_MESSAGES: Readonly<Record<Exclude<HaltReason, 'suspended'>, string>> = {
  limit: 'operation cancelled: actual cost limit exceeded',
  budget: 'validation failed due to running out of cost budget, no further validation rules will be run',
  deadline: 'operation interrupted',
};
