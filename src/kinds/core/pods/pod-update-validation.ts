import type {
  Container,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  Toleration,
} from '../../../model/generated/core-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  required,
} from '../../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../../steps/replay.ts';
import { appendAll } from '../../validation/fields.ts';
import { formatGoStringMap, formatGoValue } from '../../validation/format-value.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { isMirrorPod, validatePodAnnotationsUpdate } from './pod-annotations-validation.ts';
import { podSpecDiff } from './pod-spec-diff.ts';
import { validatePodMetadataAndSpec } from './pod-validation.ts';
import type { PodValidationOptions } from './pod-validation-options.ts';
import { validateTolerations } from './scheduling-validation.ts';

const IMMUTABLE_FIELDS =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const MAXIMUM_SECONDS = 2 ** 31 - 1;

const annotationsUpdate = ({ metadata, spec = {} }: Pod, old: Pod): FieldError[] =>
  validatePodAnnotationsUpdate(
    { annotations: metadata?.annotations, old: old.metadata?.annotations, spec },
    'metadata.annotations',
  );

/**
 * Validates a pod update. Only images, a shorter deadline and additional tolerations can change and, while
 * the pod has scheduling gates, its node selection.
 */
export function validatePodUpdate(pod: Pod, old: Pod, options: PodValidationOptions): FieldError[] {
  const { spec = {} } = pod;
  const { spec: oldSpec = {} } = old;
  const errors = [...validatePodMetadataAndSpec(pod, options, old), ...annotationsUpdate(pod, old)];
  for (const list of ['containers', 'initContainers'] as const) {
    const changes = validateImages(spec[list] ?? [], oldSpec[list] ?? [], `spec.${list}`);
    appendAll(errors, changes.errors);
    if (changes.isCountDifferent) return errors;
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds);
  errors.push(...deadline);
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return errors;
  appendAll(errors, validateTolerationsUpdate(spec.tolerations, oldSpec.tolerations));
  appendAll(errors, validateGatesUpdate(spec, oldSpec));
  const allowed: PodSpec = {
    ...spec,
    containers: withImages(spec.containers, oldSpec.containers),
    initContainers: withImages(spec.initContainers, oldSpec.initContainers),
    activeDeadlineSeconds: oldSpec.activeDeadlineSeconds,
    tolerations: oldSpec.tolerations,
    schedulingGates: oldSpec.schedulingGates,
    ...((oldSpec.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1
      ? { terminationGracePeriodSeconds: oldSpec.terminationGracePeriodSeconds }
      : {}),
  };
  if ((oldSpec.schedulingGates ?? []).length > 0) appendAll(errors, validateGatedPlacement(allowed, oldSpec));
  if (!semanticEqual(allowed, oldSpec, internalTypes.type('core_v1.PodSpec')))
    errors.push(forbidden('spec', `${IMMUTABLE_FIELDS}\n${podSpecDiff(oldSpec, allowed)}`));
  return errors;
}

function validateImages(
  containers: readonly Container[],
  oldContainers: readonly Container[],
  field: string,
): { errors: FieldError[]; isCountDifferent: boolean } {
  if (containers.length !== oldContainers.length)
    return {
      errors: [forbidden(field, 'pod updates may not add or remove containers')],
      isCountDifferent: true,
    };
  const errors = checkEach(containers, { place: `images of ${field}` }, ({ image = '' }, index) => {
    const path = `${field}[${index}].image`;
    if (image === '') return [required(path)];
    return image === image.trim()
      ? []
      : [invalid(path, image, 'must not have leading or trailing whitespace')];
  });
  return { errors, isCountDifferent: false };
}

const withImages = (
  containers: readonly Container[] | undefined,
  oldContainers: readonly Container[] | undefined,
): Container[] | undefined =>
  containers?.map((container, index) => ({ ...container, image: oldContainers?.[index]?.image }));

function validateDeadline(seconds: number | undefined, oldSeconds: number | undefined): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  if (seconds === undefined)
    return oldSeconds === undefined
      ? []
      : [invalidFormatted(field, '"null"', 'must not update from a positive integer to nil value')];
  if (seconds < 0 || seconds > MAXIMUM_SECONDS)
    return [invalid(field, seconds, `must be between 0 and ${MAXIMUM_SECONDS}, inclusive`)];
  return oldSeconds !== undefined && oldSeconds < seconds
    ? [invalid(field, seconds, 'must be less than or equal to previous value')]
    : [];
}

function validateTolerationsUpdate(
  tolerations: readonly Toleration[] = [],
  oldTolerations: readonly Toleration[] = [],
): FieldError[] {
  const identity = ({ key = '', operator = '', value = '', effect = '' }: Toleration): string =>
    JSON.stringify([key, operator, value, effect]);
  const place = { place: 'identity' };
  const remaining = new Set(resultsOfEach(tolerations, place, identity));
  if (resultsOfEach(oldTolerations, place, identity).some((old) => !remaining.has(old)))
    return [
      forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
    ];
  return validateTolerations(tolerations, 'spec.tolerations');
}

function validateGatesUpdate(
  { schedulingGates = [] }: PodSpec,
  { schedulingGates: oldGates = [] }: PodSpec,
): FieldError[] {
  const known = new Set(oldGates.map(({ name = '' }) => name));
  // For a repeated name the last index is reported.
  const added = new Map(schedulingGates.map(({ name = '' }, index) => [name, index]));
  return [...added].flatMap(([name, index]) =>
    known.has(name)
      ? []
      : [
          forbidden(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/**
 * Validates that a gated pod's node selection only becomes narrower. Resets the node selection of `allowed`
 * to the old one.
 */
function validateGatedPlacement(allowed: PodSpec, oldSpec: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const selector = allowed.nodeSelector ?? {};
  const oldSelector = oldSpec.nodeSelector ?? {};
  if (
    Object.keys(oldSelector).some(
      (key) => !Object.hasOwn(selector, key) || selector[key] !== oldSelector[key],
    )
  ) {
    errors.push(
      invalidFormatted(
        'spec.nodeSelector',
        formatGoStringMap(selector),
        'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ),
    );
  }
  allowed.nodeSelector = oldSpec.nodeSelector;
  appendAll(errors, validateNodeAffinityChange(allowed, oldSpec));
  const { nodeAffinity: _replaced, ...others } = allowed.affinity ?? {};
  const oldAffinity = oldSpec.affinity?.nodeAffinity;
  const isAbsent =
    oldAffinity === undefined && Object.keys(others).length === 0 && oldSpec.affinity === undefined;
  allowed.affinity = isAbsent
    ? undefined
    : { ...others, ...(oldAffinity === undefined ? {} : { nodeAffinity: oldAffinity }) };
  return errors;
}

function validateNodeAffinityChange(spec: PodSpec, oldSpec: PodSpec): FieldError[] {
  const terms = ({ affinity }: PodSpec) =>
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const [now, then] = [terms(spec), terms(oldSpec)];
  const field = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  if (then.length === 0) return [];
  if (now.length !== then.length)
    return [
      invalidFormatted(
        field,
        formatGoValue(now),
        'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
      ),
    ];
  return then.flatMap((old, index) =>
    hasOnlyAdditions(now[index]!, old)
      ? []
      : [
          invalidFormatted(
            `${field}[${index}]`,
            formatGoValue(now[index]),
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  );
}

/** Whether a term only gained requirements. An empty term, which matches nothing, must stay empty. */
function hasOnlyAdditions(now: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  const size = (term: NodeSelectorTerm): number =>
    lists.reduce((sum, name) => sum + (term[name] ?? []).length, 0);
  if (size(old) === 0) return size(now) === 0;
  return lists.every((name) =>
    (old[name] ?? []).every((requirement, requirementIndex) =>
      semanticEqual(now[name]?.[requirementIndex], requirement),
    ),
  );
}

/** Validates that ephemeral containers are only added. */
export function validateEphemeralContainersUpdate(
  pod: Pod,
  old: Pod,
  options: PodValidationOptions,
): FieldError[] {
  const errors = [...validatePodMetadataAndSpec(pod, options, old), ...annotationsUpdate(pod, old)];
  if (isMirrorPod(old.metadata?.annotations))
    return [forbidden('[]', 'static pods do not support ephemeral containers')];
  const type = internalTypes.type('core_v1.EphemeralContainer');
  const byName = new Map(
    (pod.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]),
  );
  for (const existing of old.spec?.ephemeralContainers ?? []) {
    const name = JSON.stringify(existing.name ?? '');
    const container = byName.get(existing.name);
    if (container === undefined)
      errors.push(
        forbidden('spec.ephemeralContainers', `existing ephemeral containers ${name} may not be removed\n`),
      );
    else if (!semanticEqual(container, existing, type))
      errors.push(
        forbidden('spec.ephemeralContainers', `existing ephemeral containers ${name} may not be changed\n`),
      );
  }
  return errors;
}
