import { isConditionTrue } from '../../model/conditions.ts';
import type { Job } from '../../model/generated/batch-v1.ts';
import type { Container, PodSpec, PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { FieldError } from '../../status/field-error.ts';
import { validateImmutable } from '../validation/fields.ts';

/** The releases in which a job that never started needs no condition that it is suspended. */
const ALLOWS_UNSTARTED: Life = { since: '1.36' };

/**
 * Validates a change of a job's template. It is immutable, except for scheduling directives and, behind a feature gate,
 * resources of containers while the job is suspended and nothing of it runs.
 */
export function validateJobTemplateUpdate(job: Job, old: Job, context: RuleContext): FieldError[] {
  const template = job.spec?.template;
  const oldTemplate = mayChangeDirectives(old, context)
    ? withNewDirectives(old.spec?.template, template)
    : old.spec?.template;
  if (!mayChangeResources(old, context))
    return validateImmutable(
      template,
      oldTemplate,
      'spec.template',
      internalTypes.type('core_v1.PodTemplateSpec'),
      'core.PodTemplateSpec',
    );
  return validateImmutable(
    template?.spec,
    withNewResources(oldTemplate?.spec, template?.spec),
    'spec.template.spec',
    internalTypes.type('core_v1.PodSpec'),
    'core.PodSpec',
  );
}

const isSuspended = ({ spec }: Job): boolean => spec?.suspend === true;

const hasNeverStarted = ({ status }: Job): boolean => !status?.startTime;

/** Whether nothing of a suspended job runs, by its status. */
const isIdle = (old: Job, { has }: RuleContext): boolean =>
  isSuspended(old) &&
  (old.status?.active ?? 0) === 0 &&
  (isConditionTrue(old.status?.conditions, 'Suspended') || (has(ALLOWS_UNSTARTED) && hasNeverStarted(old)));

const mayChangeDirectives = (old: Job, context: RuleContext): boolean =>
  context.isOn('MutableSchedulingDirectivesForSuspendedJobs')
    ? isIdle(old, context)
    : isSuspended(old) && hasNeverStarted(old);

const mayChangeResources = (old: Job, context: RuleContext): boolean =>
  context.isOn('MutablePodResourcesForSuspendedJobs') && isIdle(old, context);

/** Returns the old template with the scheduling directives of the new one. */
function withNewDirectives(
  oldTemplate: PodTemplateSpec | undefined,
  template: PodTemplateSpec | undefined,
): PodTemplateSpec | undefined {
  if (oldTemplate === undefined || template === undefined) return oldTemplate;
  const { nodeSelector, tolerations, schedulingGates, affinity } = template.spec ?? {};
  const newAffinity = { ...oldTemplate.spec?.affinity, nodeAffinity: affinity?.nodeAffinity };
  // An affinity with only node affinity can be added or removed.
  const isAbsent = affinity === undefined && Object.values(newAffinity).every((part) => part === undefined);
  return {
    ...oldTemplate,
    metadata: {
      ...oldTemplate.metadata,
      annotations: template.metadata?.annotations,
      labels: template.metadata?.labels,
    },
    spec: {
      ...oldTemplate.spec,
      nodeSelector,
      tolerations,
      schedulingGates,
      affinity: isAbsent ? undefined : newAffinity,
    },
  };
}

/** Returns the old pod with the resources of the new one's containers. */
const withNewResources = (oldPod: PodSpec | undefined, pod: PodSpec | undefined): PodSpec => ({
  ...oldPod,
  containers: withResourcesOf(oldPod?.containers, pod?.containers),
  initContainers: withResourcesOf(oldPod?.initContainers, pod?.initContainers),
});

/** Containers correspond by their position, in lists of the same length, and have the same name. */
function withResourcesOf(
  old: readonly Container[] | undefined,
  containers: readonly Container[] | undefined,
): Container[] | undefined {
  if (old?.length !== containers?.length) return old as Container[] | undefined;
  return old?.map((container, index) =>
    container.name === containers![index]!.name
      ? { ...container, resources: containers![index]!.resources }
      : container,
  );
}
