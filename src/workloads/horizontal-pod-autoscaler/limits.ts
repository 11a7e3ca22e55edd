import type { HPAScalingPolicy, HPAScalingRules } from '../../model/generated/autoscaling-v2.ts';
import type { Entry, ScaleHistory } from './history.ts';

/** A number of Pods with what the conditions say about it. */
export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

export interface Range {
  readonly current: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** Without rules of its own, an object is at most doubled, or gets this many Pods. */
const LEAST_GROWTH = 4;

const WITHIN = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};
const TOO_FAST = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const TOO_SLOW = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};
const TOO_MANY = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const TOO_FEW = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};

/** The highest recommendation of a time, which keeps a short lull from removing Pods. @param window milliseconds */
export const stabilizeDown = (
  recommended: readonly Entry[],
  desired: number,
  window: number,
  now: number,
): number =>
  recommended.reduce(
    (highest, { replicas, at }) => (at >= now - window ? Math.max(highest, replicas) : highest),
    desired,
  );

/** What an object without rules of its own may have. */
export function limit({ current, minimum, maximum }: Range, desired: number): Limited {
  const fastest = Math.max(2 * current, LEAST_GROWTH);
  if (desired < minimum) return { replicas: minimum, ...TOO_FEW };
  const most = Math.min(maximum, fastest);
  if (desired > most) return { replicas: most, ...(maximum > fastest ? TOO_FAST : TOO_MANY) };
  return { replicas: desired, ...WITHIN };
}

export interface Rules {
  readonly up: HPAScalingRules;
  readonly down: HPAScalingRules;
}

/**
 * The recommendation, within the lowest and the highest one of the windows of the rules.
 * @param downWindow seconds, where the rules say none
 */
export function stabilize(
  recommended: readonly Entry[],
  { up, down }: Rules,
  current: number,
  desired: number,
  downWindow: number,
  now: number,
): Limited {
  const [since, sinceDown] = [
    now - (up.stabilizationWindowSeconds ?? 0) * 1000,
    now - (down.stabilizationWindowSeconds ?? downWindow) * 1000,
  ];
  let [lowest, highest] = [desired, desired];
  for (const { replicas, at } of recommended) {
    if (at > since) lowest = Math.min(lowest, replicas);
    if (at > sinceDown) highest = Math.max(highest, replicas);
  }
  const replicas = Math.min(Math.max(current, lowest), highest);
  return desired >= current
    ? {
        replicas,
        reason: 'ScaleUpStabilized',
        message:
          'recent recommendations were lower than current one, applying the lowest recent recommendation',
      }
    : {
        replicas,
        reason: 'ScaleDownStabilized',
        message:
          'recent recommendations were higher than current one, applying the highest recent recommendation',
      };
}

type Changes = Pick<ScaleHistory, 'added' | 'removed'>;

/** What an object may have by its rules: policies bound how fast its number changes. */
export function limitByRules(
  { current, minimum, maximum }: Range,
  { up, down }: Rules,
  history: Changes,
  desired: number,
  now: number,
): Limited {
  if (desired > current) {
    const fastest = Math.max(current, highestOf(up, history, current, now));
    const most = Math.min(maximum, fastest);
    if (desired > most) return { replicas: most, ...(maximum > fastest ? TOO_FAST : TOO_MANY) };
  } else if (desired < current) {
    const fastest = Math.min(current, lowestOf(down, history, current, now));
    const least = Math.max(minimum, fastest);
    if (desired < least) return { replicas: least, ...(minimum < fastest ? TOO_SLOW : TOO_FEW) };
  }
  return { replicas: desired, ...WITHIN };
}

/** The number of Pods at the begin of a period. */
function atBegin({ added, removed }: Changes, current: number, seconds: number, now: number): number {
  const since = now - seconds * 1000;
  const changed = (entries: readonly Entry[]): number =>
    entries.reduce((sum, { replicas, at }) => (at > since ? sum + replicas : sum), 0);
  return current - changed(added) + changed(removed);
}

/** What each policy allows, by the number of Pods at the begin of its period. */
const proposals = (
  { policies = [] }: HPAScalingRules,
  changes: Changes,
  current: number,
  now: number,
  propose: (policy: HPAScalingPolicy, begin: number) => number,
): readonly number[] =>
  policies.map((policy) => propose(policy, atBegin(changes, current, policy.periodSeconds ?? 0, now)));

function highestOf(rules: HPAScalingRules, changes: Changes, current: number, now: number): number {
  if (rules.selectPolicy === 'Disabled') return current;
  const proposed = proposals(rules, changes, current, now, ({ type, value = 0 }, begin) =>
    type === 'Percent' ? Math.ceil(begin * (1 + value / 100)) : begin + value,
  );
  return rules.selectPolicy === 'Min' ? Math.min(...proposed) : Math.max(...proposed);
}

function lowestOf(rules: HPAScalingRules, changes: Changes, current: number, now: number): number {
  if (rules.selectPolicy === 'Disabled') return current;
  const proposed = proposals(rules, changes, current, now, ({ type, value = 0 }, begin) =>
    type === 'Percent' ? Math.trunc(begin * (1 - value / 100)) : begin - value,
  );
  return rules.selectPolicy === 'Min' ? Math.max(...proposed) : Math.min(...proposed);
}
