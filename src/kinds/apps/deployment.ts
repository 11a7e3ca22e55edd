import { quote } from '../../errors/quote.ts';
import type { Deployment } from '../../model/generated/apps-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { formatLabelSelector } from '../../model/object-label-selector.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  notSupportedFormatted,
  required,
} from '../../status/field-error.ts';
import { defineResource, SCALE } from '../builtin-resource.ts';
import { type PodValidationOptions, withOldTemplate } from '../core/pods/pod-validation-options.ts';
import { podNameWarnings } from '../core/pods/pod-warnings.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { containerCells } from '../tables/format.ts';
import { WORKLOAD_COLUMNS } from '../tables/workload-columns.ts';
import { validateNonNegative } from '../validation/fields.ts';
import { formatGoIntOrString } from '../validation/format-value.ts';
import {
  countOrPercent,
  validateAtMostHundredPercent,
  validateIntOrPercent,
} from '../validation/int-or-percent.ts';
import { validateNotDecremented, validateReplicaStatus } from '../validation/replicas.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { normalizeIntegerAnnotation } from './integer-annotation.ts';
import {
  dropDisabledReplicatedFields,
  replicatedTemplateRule,
  specWithTemplate,
  validateSelectorAndTemplate,
  validateSelectorUnchanged,
  workloadScale,
  workloadWarnings,
} from './workload.ts';

/** Annotation with the revision to roll back to; it replaces a removed field. */
const ROLLBACK_TO = 'deprecated.deployment.rollback.to';

function setDefaults(object: Deployment): void {
  const spec = specWithTemplate(object);
  spec.replicas ??= 1;
  spec.strategy ??= {};
  spec.strategy.type ||= 'RollingUpdate';
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= '25%';
    spec.strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
}

function validateSpec({ spec = {} }: Deployment, context: PodValidationOptions): FieldError[] {
  const { minReadySeconds = 0, progressDeadlineSeconds } = spec;
  const errors = [
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateSelectorAndTemplate(
      spec,
      { empty: 'empty selector is invalid for deployment' },
      replicatedTemplateRule(context),
    ),
    ...validateStrategy(spec.strategy ?? {}),
    ...validateNonNegative(minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
    ...validateNonNegative(progressDeadlineSeconds, 'spec.progressDeadlineSeconds'),
  ];
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds)
    errors.push(
      invalid(
        'spec.progressDeadlineSeconds',
        progressDeadlineSeconds,
        'must be greater than minReadySeconds',
      ),
    );
  return errors;
}

const validateRollback = ({ metadata }: Deployment): FieldError[] =>
  validateNonNegative(Number(metadata?.annotations?.[ROLLBACK_TO] ?? 0), 'spec.rollback.version');

function validateStrategy({
  type = '',
  rollingUpdate,
}: NonNullable<NonNullable<Deployment['spec']>['strategy']>): FieldError[] {
  const field = 'spec.strategy.rollingUpdate';
  if (type === 'Recreate')
    return rollingUpdate === undefined
      ? []
      : [forbidden(field, "may not be specified when strategy `type` is 'Recreate'")];
  if (type !== 'RollingUpdate') {
    const formatted = `apps.DeploymentStrategy{Type:${quote(type)}, RollingUpdate:(*apps.RollingUpdateDeployment)(${rollingUpdate === undefined ? 'nil' : JSON.stringify(rollingUpdate)})}`;
    return [notSupportedFormatted('spec.strategy', formatted, ['Recreate', 'RollingUpdate'])];
  }
  if (rollingUpdate === undefined) return [required(field, 'this should be defaulted and never be nil')];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  return [
    ...validateIntOrPercent(maxUnavailable, `${field}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${field}.maxSurge`),
    ...(countOrPercent(maxUnavailable) === 0 && countOrPercent(maxSurge) === 0
      ? [
          invalidFormatted(
            `${field}.maxUnavailable`,
            formatGoIntOrString(maxUnavailable),
            'may not be 0 when `maxSurge` is 0',
          ),
        ]
      : []),
    ...validateAtMostHundredPercent(maxUnavailable, `${field}.maxUnavailable`),
  ];
}

export const deploymentStrategy: Strategy = {
  defaulting: { byVersion: { v1: setDefaults } },
  dropDisabledFields: dropDisabledReplicatedFields,
  prepareForSubresource: {
    // A status update must not change labels, nor the annotation that stands for a field of the spec.
    status(object, old) {
      object['spec'] = old['spec'];
      const { [ROLLBACK_TO]: _sent, ...annotations } = object.metadata?.annotations ?? {};
      const revision = old.metadata?.annotations?.[ROLLBACK_TO];
      object.metadata = {
        ...object.metadata,
        labels: old.metadata?.labels,
        annotations: revision === undefined ? annotations : { ...annotations, [ROLLBACK_TO]: revision },
      };
    },
  },
  validate: (object: Deployment, context) => [...validateSpec(object, context), ...validateRollback(object)],
  validateUpdate: (object: Deployment, old: Deployment, context) => [
    ...validateSpec(object, withOldTemplate(context, old.spec?.template)),
    ...validateRollback(object),
    ...validateSelectorUnchanged(object, old),
  ],
  validateSubresource: {
    status: (object: Deployment, old: Deployment) => [
      ...validateReplicaStatus(object.status, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
      ...validateNotDecremented(
        object.status?.collisionCount,
        old.status?.collisionCount,
        'status.collisionCount',
      ),
    ],
  },
  warnings: (object, old, context) => [
    ...(old === undefined ? podNameWarnings(object) : []),
    ...workloadWarnings(object, old, context),
  ],
  managesGeneration: true,
  // Annotations hold the revision and rollback requests, so their changes increment the generation too.
  generationChanged: (object: Deployment, old: Deployment) =>
    !semanticEqual(object.spec, old.spec, internalTypes.type('apps_v1.DeploymentSpec')) ||
    !semanticEqual(object.metadata?.annotations ?? {}, old.metadata?.annotations ?? {}),
  metadata: {
    normalizeAnnotations(object) {
      const { annotations } = object.metadata ?? {};
      if (annotations?.[ROLLBACK_TO] === '') delete annotations[ROLLBACK_TO];
      else
        normalizeIntegerAnnotation(
          object,
          ROLLBACK_TO,
          (text) => `failed to parse annotation[${ROLLBACK_TO}]=${text} as int64: `,
        );
    },
  },
  status: { updatesMetadata: false },
  resetFields: { status: [['spec'], ['metadata', 'labels']] },
  scale: workloadScale,
};

export const deployments = defineResource({
  group: 'apps',
  versions: ['v1'],
  resource: 'deployments',
  kind: 'Deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  subresources: [SCALE, 'status'],
  strategy: deploymentStrategy,
  table: table<Deployment>(
    [
      NAME,
      column('Ready', 'Number of ready pods, of the desired ones.'),
      column('Up-to-date', 'Pods of the latest template.'),
      column('Available', 'Pods that have been ready for long enough.'),
      AGE,
      ...WORKLOAD_COLUMNS,
    ],
    (object) => {
      const { spec, status } = object;
      return [
        nameOf(object),
        `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
        status?.updatedReplicas ?? 0,
        status?.availableReplicas ?? 0,
        ageOf(object),
        ...containerCells(spec?.template?.spec),
        formatLabelSelector(spec?.selector),
      ];
    },
  ),
});
