import { quote } from '../../errors/quote.ts';
import type { DaemonSet } from '../../model/generated/apps-v1.ts';
import { parseGoInt64 } from '../../model/go-integer.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import {
  type FieldError,
  invalidFormatted,
  notSupportedFormatted,
  required,
} from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import { TEMPLATE_MISMATCH, validatePodTemplate } from '../core/pods/pod-template-validation.ts';
import { type PodValidationOptions, withOldTemplate } from '../core/pods/pod-validation-options.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { containerCells, formatLabels, labelSelectorCell } from '../tables/format.ts';
import { CURRENT, DESIRED, READY, WORKLOAD_COLUMNS } from '../tables/workload-columns.ts';
import { validateNonNegative } from '../validation/fields.ts';
import { formatGoPointer } from '../validation/format-struct.ts';
import { formatGoIntOrString, formatLabelSelector, formatStringMap } from '../validation/format-value.ts';
import {
  countOrPercent,
  validateAtMostHundredPercent,
  validateIntOrPercent,
} from '../validation/int-or-percent.ts';
import { isEmptySelector, isUsableSelector, validateLabelSelector } from '../validation/labels.ts';
import { validateNotDecremented } from '../validation/replicas.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { normalizeIntegerAnnotation } from './integer-annotation.ts';
import {
  dropDisabledFields,
  specWithTemplate,
  validateChangedSpec,
  validateLongRunningTemplate,
  validateSelectorUnchanged,
  workloadWarnings,
} from './workload.ts';

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;

function setDefaults(object: DaemonSet): void {
  const spec = specWithTemplate(object);
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ||= 'RollingUpdate';
  if (spec.updateStrategy.type === 'RollingUpdate') {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  if (spec.updateStrategy.rollingUpdate !== undefined) {
    // In kube-apiserver's internal type these members are never absent.
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 0;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  if (object.metadata?.annotations?.[TEMPLATE_GENERATION] === undefined) setTemplateGeneration(object, 0n);
}

/** Annotation in which the server counts template changes; it replaces a removed field. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function templateGeneration(object: KubernetesObject): bigint {
  const value = parseGoInt64(object.metadata?.annotations?.[TEMPLATE_GENERATION] ?? '');
  return typeof value === 'bigint' ? value : 0n;
}

function setTemplateGeneration(object: KubernetesObject, generation: bigint): void {
  object.metadata ??= {};
  object.metadata.annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function validateSpec({ spec = {} }: DaemonSet, context: PodValidationOptions): FieldError[] {
  const { selector, template = {} } = spec;
  const labels = template.metadata?.labels;
  const errors = validateLabelSelector(selector, 'spec.selector');
  if ((selector === undefined || isUsableSelector(selector)) && !labelSelectorMatches(selector, labels))
    errors.push(
      invalidFormatted('spec.template.metadata.labels', formatStringMap(labels, context), TEMPLATE_MISMATCH),
    );
  if (selector !== undefined && isEmptySelector(selector))
    errors.push(
      invalidFormatted(
        'spec.selector',
        formatLabelSelector(selector, context),
        'empty selector is invalid for daemonset',
      ),
    );
  return [
    ...errors,
    ...validatePodTemplate(template, 'spec.template', context),
    ...validateLongRunningTemplate(template, 'DaemonSet'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}),
    ...validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ];
}

function validateUpdateStrategy({
  type = '',
  rollingUpdate,
}: NonNullable<NonNullable<DaemonSet['spec']>['updateStrategy']>): FieldError[] {
  const field = 'spec.updateStrategy.rollingUpdate';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const formatted = `apps.DaemonSetUpdateStrategy{Type:${quote(type)}, RollingUpdate:${formatGoPointer('apps.RollingUpdateDaemonSet', rollingUpdate)}}`;
    return [notSupportedFormatted('spec.updateStrategy', formatted, ['RollingUpdate', 'OnDelete'])];
  }
  if (rollingUpdate === undefined) return [required(field)];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${field}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${field}.maxSurge`),
    ...validateAtMostHundredPercent(maxUnavailable, `${field}.maxUnavailable`),
    ...validateAtMostHundredPercent(maxSurge, `${field}.maxSurge`),
  ];
  const hasUnavailable = countOrPercent(maxUnavailable) !== 0;
  const hasSurge = countOrPercent(maxSurge) !== 0;
  if (hasUnavailable && hasSurge)
    errors.push(
      invalidFormatted(
        `${field}.maxSurge`,
        formatGoIntOrString(maxSurge),
        'may not be set when maxUnavailable is non-zero',
      ),
    );
  if (!hasUnavailable && !hasSurge)
    errors.push(required(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

export const daemonSetStrategy: Strategy = {
  metadata: {
    bookkeepingAnnotations: [TEMPLATE_GENERATION],
    normalizeAnnotations: (object) => normalizeIntegerAnnotation(object, TEMPLATE_GENERATION),
    checks: { update: ['whole', 'change'] },
  },
  defaulting: { byVersion: { v1: setDefaults } },
  dropDisabledFields,
  prepareForCreate(object) {
    const generation = templateGeneration(object);
    setTemplateGeneration(object, generation < 1n ? 1n : generation);
  },
  prepareForUpdate(object: DaemonSet, old: DaemonSet) {
    const isSame = semanticEqual(
      object.spec?.template,
      old.spec?.template,
      internalTypes.type('core_v1.PodTemplateSpec'),
    );
    setTemplateGeneration(object, templateGeneration(old) + (isSame ? 0n : 1n));
  },
  prepareForSubresource: {
    status(object, old) {
      object['spec'] = old['spec'];
      setTemplateGeneration(object, templateGeneration(old));
    },
  },
  validate: (object: DaemonSet, context) => validateSpec(object, context),
  validateUpdate: (object: DaemonSet, old: DaemonSet, context) => [
    ...validateChangedSpec(context, () => validateSpec(object, withOldTemplate(context, old.spec?.template))),
    ...validateSelectorUnchanged(object, old),
  ],
  validateSubresource: {
    status: ({ status = {} }: DaemonSet, old: DaemonSet) => [
      ...COUNTS.flatMap((name) => validateNonNegative(status[name], `status.${name}`)),
      ...validateNotDecremented(status.collisionCount, old.status?.collisionCount, 'status.collisionCount'),
    ],
  },
  warnings: (object, old, context) =>
    old === undefined || templateGeneration(object) !== templateGeneration(old)
      ? workloadWarnings(object, undefined, context)
      : [],
  managesGeneration: true,
};

export const daemonSets = defineResource({
  group: 'apps',
  versions: ['v1'],
  resource: 'daemonsets',
  kind: 'DaemonSet',
  shortNames: ['ds'],
  categories: ['all'],
  subresources: ['status'],
  strategy: daemonSetStrategy,
  table: table<DaemonSet>(
    [
      NAME,
      DESIRED,
      CURRENT,
      READY,
      column('Up-to-date', 'Pods of the latest template.', 'integer'),
      column('Available', 'Pods that have been ready for long enough.', 'integer'),
      column('Node Selector', 'Labels of the nodes it runs on.'),
      AGE,
      ...WORKLOAD_COLUMNS,
    ],
    (object) => {
      const { spec, status } = object;
      return [
        nameOf(object),
        status?.desiredNumberScheduled ?? 0,
        status?.currentNumberScheduled ?? 0,
        status?.numberReady ?? 0,
        status?.updatedNumberScheduled ?? 0,
        status?.numberAvailable ?? 0,
        formatLabels(spec?.template?.spec?.nodeSelector),
        ageOf(object),
        ...containerCells(spec?.template?.spec),
        labelSelectorCell(spec?.selector),
      ];
    },
  ),
});
