import type { Condition } from '../../model/generated/meta-v1.ts';
import type { PodDisruptionBudgetStatus } from '../../model/generated/policy-v1.ts';
import { formatTime } from '../../model/time.ts';

/** The condition that says whether a budget allows a disruption. */
const ALLOWANCE = 'DisruptionAllowed';

interface Counts {
  readonly disruptionsAllowed: number;
  readonly observedGeneration: number;
}

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const verdictOf = (allowed: number): Verdict =>
  allowed > 0
    ? { status: 'True', reason: 'SufficientPods', message: '' }
    : { status: 'False', reason: 'InsufficientPods', message: '' };

/** The conditions of a budget that allows some disruptions. @param now milliseconds since the epoch */
export const allowance = (conditions: readonly Condition[] = [], counts: Counts, now: number): Condition[] =>
  withVerdict(conditions, verdictOf(counts.disruptionsAllowed), counts.observedGeneration, now);

/** The status of a budget that could not be computed: it allows nothing. @param now milliseconds since the epoch */
export const failedStatus = (
  status: PodDisruptionBudgetStatus,
  message: string,
  now: number,
): PodDisruptionBudgetStatus => ({
  ...status,
  disruptionsAllowed: 0,
  conditions: withVerdict(
    status.conditions ?? [],
    { status: 'False', reason: 'SyncFailed', message },
    status.observedGeneration ?? 0,
    now,
  ),
});

/** Whether the condition of a budget fits the number of disruptions that it allows. */
export function isAllowanceCurrent({
  conditions = [],
  disruptionsAllowed = 0,
}: PodDisruptionBudgetStatus): boolean {
  const present = conditions.find(({ type }) => type === ALLOWANCE);
  const { status, reason } = verdictOf(disruptionsAllowed);
  return present?.status === status && present.reason === reason;
}

/** The time of transition stays while the status does. */
function withVerdict(
  conditions: readonly Condition[],
  verdict: Verdict,
  observedGeneration: number,
  now: number,
): Condition[] {
  const before = conditions.find(({ type }) => type === ALLOWANCE);
  const isKept = before?.status === verdict.status && before.lastTransitionTime;
  const next: Condition = {
    ...before,
    ...verdict,
    type: ALLOWANCE,
    observedGeneration,
    lastTransitionTime: isKept || formatTime(now),
  };
  return before === undefined
    ? [...conditions, next]
    : conditions.map((one) => (one === before ? next : one));
}
