import type { EventType } from '../../reconcile/events/recorder.ts';

/** What is reported as an event of a claim or volume. */
export interface Report {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

export const normal = (reason: string, message: string): Report => ({ type: 'Normal', reason, message });
export const warning = (reason: string, message: string): Report => ({ type: 'Warning', reason, message });
