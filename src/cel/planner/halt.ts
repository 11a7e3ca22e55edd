/** Why an evaluation was stopped from outside of the expression. */
export type HaltReason =
  /** Its own cost limit is exceeded. */
  | 'limit'
  /** The budget it shares with others is exceeded. */
  | 'budget'
  /** Its time is up. */
  | 'deadline'
  /** It needs an answer that isn't there yet. */
  | 'suspended';

/**
 * Thrown through an evaluation to stop it; no expression can absorb it. It has no stack: an evaluation may be
 * stopped often.
 */
export class Halt {
  readonly reason: HaltReason;
  /** Of a suspended evaluation: settles when it is worth another try. */
  readonly until: Promise<unknown> | undefined;

  constructor(reason: HaltReason, until?: Promise<unknown>) {
    this.reason = reason;
    this.until = until;
  }
}

/** The texts of stopped evaluations. */
export const HALT_MESSAGES: Readonly<Record<Exclude<HaltReason, 'suspended'>, string>> = {
  limit: 'operation cancelled: actual cost limit exceeded',
  budget: 'validation failed due to running out of cost budget, no further validation rules will be run',
  deadline: 'operation interrupted',
};
