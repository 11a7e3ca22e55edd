import type { HorizontalPodAutoscalerCondition as Condition } from '../../model/generated/autoscaling-v2.ts';
import { formatTime } from '../../model/time.ts';

export type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';

/** The conditions of an autoscaler while it is decided about. The time of transition stays while the status does. */
export class Conditions {
  #conditions: readonly Condition[];
  readonly #now: number;

  /** @param now milliseconds since the epoch */
  constructor(conditions: readonly Condition[], now: number) {
    this.#conditions = conditions;
    this.#now = now;
  }

  get all(): Condition[] {
    return [...this.#conditions];
  }

  set(type: ConditionType, isSo: boolean, reason: string, message: string): void {
    const status = isSo ? 'True' : 'False';
    const before = this.#conditions.find((one) => one.type === type);
    const isKept = before?.status === status && before.lastTransitionTime;
    const next: Condition = {
      ...before,
      type,
      status,
      reason,
      message,
      lastTransitionTime: isKept || formatTime(this.#now),
    };
    this.#conditions =
      before === undefined
        ? [...this.#conditions, next]
        : this.#conditions.map((one) => (one === before ? next : one));
  }
}
