import type {
  Job,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '../../model/generated/batch-v1.ts';
import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../../model/generated/core-v1.ts';
import { hasFailed } from './pods.ts';

/** What a failure policy says of a failed Pod; that of no rule counts. */
export type FailureAction = 'Count' | 'Ignore' | 'FailIndex' | 'FailJob';

interface Match {
  readonly action: FailureAction;
  /** Why the Job fails. */
  readonly message: string;
}

/** The first rule of a Job's failure policy that a failed Pod matches. */
function match({ spec }: Job, pod: Pod): Match | undefined {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (cause !== undefined)
      return {
        action: rule.action as FailureAction,
        message: `${cause} matching ${rule.action} rule at index ${index}`,
      };
  }
  return undefined;
}

function causeOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { metadata, status = {} } = pod;
  const name = `${metadata?.namespace}/${metadata?.name}`;
  if (onExitCodes !== undefined) {
    const container = failedContainer(status, onExitCodes);
    return (
      container &&
      `Container ${container.name} for pod ${name} failed with exit code ${container.state?.terminated?.exitCode}`
    );
  }
  const condition = matchingCondition(status, onPodConditions ?? []);
  return condition && `Pod ${name} has condition ${condition.type}`;
}

/** Regular containers come before init containers. */
const failedContainer = (
  { containerStatuses = [], initContainerStatuses = [] }: PodStatus,
  requirement: PodFailurePolicyOnExitCodesRequirement,
): ContainerStatus | undefined =>
  [...containerStatuses, ...initContainerStatuses].find(({ name, state }) => {
    const exitCode = state?.terminated?.exitCode ?? 0;
    if (exitCode === 0) return false;
    if (requirement.containerName !== undefined && requirement.containerName !== name) return false;
    return (requirement.operator === 'In') === (requirement.values ?? []).includes(exitCode);
  });

const matchingCondition = (
  { conditions = [] }: PodStatus,
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
): PodCondition | undefined =>
  conditions.find(({ type, status }) =>
    patterns.some((pattern) => pattern.type === type && pattern.status === status),
  );

/** What happens with a failed Pod. */
export const failureAction = (job: Job, pod: Pod): FailureAction => match(job, pod)?.action ?? 'Count';

/** Whether the failure of a Pod counts for the limits of its Job. */
export const isCounted = (job: Job, pod: Pod): boolean => failureAction(job, pod) !== 'Ignore';

/** Why the Job fails by its failure policy; undefined if it does not. */
export function policyFailure(job: Job, pods: readonly Pod[]): string | undefined {
  if (job.spec?.podFailurePolicy === undefined) return undefined;
  for (const pod of pods) {
    const found = hasFailed(pod, job) ? match(job, pod) : undefined;
    if (found?.action === 'FailJob') return found.message;
  }
  return undefined;
}
