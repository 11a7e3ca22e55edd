import type { ReplicaSet } from '../../model/generated/apps-v1.ts';
import type { FieldError } from '../../status/field-error.ts';
import { defineResource, SCALE } from '../builtin-resource.ts';
import { type PodValidationOptions, withOldTemplate } from '../core/pods/pod-validation-options.ts';
import { podNameWarnings } from '../core/pods/pod-warnings.ts';
import type { Strategy } from '../strategy.ts';
import { labelSelectorCell } from '../tables/format.ts';
import { replicaTable } from '../tables/workload-columns.ts';
import { validateNonNegative } from '../validation/fields.ts';
import { validateReplicaStatus } from '../validation/replicas.ts';
import {
  dropDisabledReplicatedFields,
  replicatedTemplateRule,
  specWithTemplate,
  validateChangedSpec,
  validateSelectorAndTemplate,
  validateSelectorUnchanged,
  workloadScale,
  workloadWarnings,
} from './workload.ts';

function validateSpec({ spec = {} }: ReplicaSet, context: PodValidationOptions): FieldError[] {
  return [
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateSelectorAndTemplate(
      spec,
      { empty: 'empty selector is invalid for deployment' },
      replicatedTemplateRule(context),
    ),
  ];
}

export const replicaSetStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'change'], through: { scale: ['change', 'whole'] } } },
  defaulting: {
    byVersion: {
      v1(object: ReplicaSet) {
        specWithTemplate(object).replicas ??= 1;
      },
    },
  },
  dropDisabledFields: dropDisabledReplicatedFields,
  validate: (object: ReplicaSet, context) => validateSpec(object, context),
  validateUpdate: (object: ReplicaSet, old: ReplicaSet, context) => [
    ...validateChangedSpec(context, () => validateSpec(object, withOldTemplate(context, old.spec?.template))),
    ...validateSelectorUnchanged(object, old),
  ],
  validateSubresource: {
    status: (object: ReplicaSet) =>
      validateReplicaStatus(object.status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  },
  warnings: (object, old, context) => [
    ...(old === undefined ? podNameWarnings(object) : []),
    ...workloadWarnings(object, old, context),
  ],
  managesGeneration: true,
  scale: workloadScale,
};

export const replicaSets = defineResource({
  group: 'apps',
  versions: ['v1'],
  resource: 'replicasets',
  kind: 'ReplicaSet',
  shortNames: ['rs'],
  categories: ['all'],
  subresources: [SCALE, 'status'],
  strategy: replicaSetStrategy,
  table: replicaTable<ReplicaSet>(({ spec }) => labelSelectorCell(spec?.selector)),
});
