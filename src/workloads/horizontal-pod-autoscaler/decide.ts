import type { HorizontalPodAutoscaler } from '../../model/generated/autoscaling-v2.ts';
import type { Conditions } from './conditions.ts';
import type { ScaleHistory } from './history.ts';
import {
  type Limited,
  limit,
  limitByRules,
  type Range,
  type Rules,
  stabilize,
  stabilizeDown,
} from './limits.ts';

/** What is known without measurements: that nothing is to be scaled, or that the range of Pods says it. */
export type Bounded = { readonly replicas: number; readonly reason: string } | 'disabled' | 'measure';

export const rangeOf = ({ spec = {} }: HorizontalPodAutoscaler, current: number): Range => ({
  current,
  minimum: spec.minReplicas ?? 1,
  maximum: spec.maxReplicas ?? 0,
});

/** An object without Pods is not scaled, unless it may have none. */
export function byRange({ current, minimum, maximum }: Range): Bounded {
  if (current === 0 && minimum !== 0) return 'disabled';
  if (current > maximum)
    return { replicas: maximum, reason: 'Current number of replicas above Spec.MaxReplicas' };
  if (current < minimum)
    return { replicas: minimum, reason: 'Current number of replicas below Spec.MinReplicas' };
  return 'measure';
}

/** Where recommendations come together. */
export interface Deciding {
  readonly conditions: Conditions;
  readonly history: ScaleHistory;
  /** Milliseconds in which an object without rules keeps the highest recommendation. */
  readonly downWindow: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The number of Pods that an object gets: the recommended one, stabilized and limited. Notes the recommendation, and what
 * was decided in the conditions.
 */
export function decide(
  { spec = {} }: HorizontalPodAutoscaler,
  range: Range,
  recommended: number,
  { conditions, history, downWindow, now }: Deciding,
): number {
  const { behavior } = spec;
  const rules: Rules | undefined = behavior && { up: behavior.scaleUp ?? {}, down: behavior.scaleDown ?? {} };
  const stabilized: Limited =
    rules === undefined
      ? {
          replicas: stabilizeDown(history.recommended, recommended, downWindow, now),
          reason: 'ScaleDownStabilized',
          message:
            'recent recommendations were higher than current one, applying the highest recent recommendation',
        }
      : stabilize(history.recommended, rules, range.current, recommended, Math.trunc(downWindow / 1000), now);
  history.recommend(recommended, now);
  if (stabilized.replicas === recommended)
    conditions.set('AbleToScale', true, 'ReadyForNewScale', 'recommended size matches current size');
  else conditions.set('AbleToScale', true, stabilized.reason, stabilized.message);
  const limited =
    rules === undefined
      ? limit(range, stabilized.replicas)
      : limitByRules(range, rules, history, stabilized.replicas, now);
  conditions.set('ScalingLimited', limited.replicas !== stabilized.replicas, limited.reason, limited.message);
  return limited.replicas;
}
