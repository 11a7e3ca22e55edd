import type { ReplicationController } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { formatLabelSelector } from '../../model/object-label-selector.ts';
import { type FieldError, forbidden, notSupported, required } from '../../status/field-error.ts';
import { defineResource, SCALE } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { formatLabels } from '../tables/format.ts';
import { replicaTable } from '../tables/workload-columns.ts';
import { validateNonNegative } from '../validation/fields.ts';
import { validateReplicaStatus } from '../validation/replicas.ts';
import { dropDisabledTemplateFields } from './pods/drop-disabled-fields.ts';
import { setPodTemplateDefaults } from './pods/pod-spec-defaults.ts';
import { validateLabelledTemplate } from './pods/pod-template-validation.ts';
import { type PodValidationOptions, withOldTemplate } from './pods/pod-validation-options.ts';
import { podNameWarnings, templateWarnings } from './pods/pod-warnings.ts';

function setDefaults(object: KubernetesObject): void {
  const controller = object as ReplicationController;
  controller.spec ??= {};
  const { spec } = controller;
  spec.replicas ??= 1;
  if (spec.template === undefined) return;
  setPodTemplateDefaults(spec.template);
  const labels = spec.template.metadata?.labels;
  if (labels === undefined || Object.keys(labels).length === 0) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  controller.metadata ??= {};
  if (Object.keys(controller.metadata.labels ?? {}).length === 0) controller.metadata.labels = { ...labels };
}

function validateSpec({ spec = {} }: ReplicationController, context: PodValidationOptions): FieldError[] {
  const { template, selector = {} } = spec;
  const isEmpty = Object.keys(selector).length === 0;
  const errors = [
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...(isEmpty ? [required('spec.selector')] : []),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
  ];
  if (template === undefined) return [...errors, required('spec.template')];
  errors.push(
    ...validateLabelledTemplate(
      { template, selector: isEmpty ? undefined : { matchLabels: selector }, anyLabels: isEmpty },
      'spec.template',
      context,
    ),
  );
  if (template.spec?.restartPolicy !== 'Always')
    errors.push(
      notSupported('spec.template.spec.restartPolicy', template.spec?.restartPolicy ?? '', ['Always']),
    );
  if (template.spec?.activeDeadlineSeconds !== undefined)
    errors.push(
      forbidden(
        'spec.template.spec.activeDeadlineSeconds',
        'activeDeadlineSeconds in ReplicationController is not Supported',
      ),
    );
  return errors;
}

export const replicationControllerStrategy: Strategy = {
  metadata: {
    ignoresPrefix: { since: '1.35' },
    checks: { update: ['whole', 'change'], through: { scale: ['change', 'whole'] } },
  },
  defaulting: { byVersion: { v1: setDefaults } },
  dropDisabledFields: (object: ReplicationController, old: ReplicationController | undefined, context) =>
    dropDisabledTemplateFields(object.spec?.template, old?.spec?.template, context),
  validate: (object, context) => validateSpec(object as ReplicationController, context),
  // kube-apiserver validates a changed specification twice.
  validateUpdate(object: ReplicationController, old: ReplicationController, context) {
    const options = withOldTemplate(context, old.spec?.template);
    return [...validateSpec(object, options), ...validateSpec(object, options)];
  },
  validateSubresource: {
    status: (object) =>
      validateReplicaStatus((object as ReplicationController).status, [
        'fullyLabeledReplicas',
        'readyReplicas',
        'availableReplicas',
      ]),
  },
  warnings(object: ReplicationController, old: ReplicationController | undefined, context) {
    if (old === undefined)
      return [
        ...podNameWarnings(object),
        ...templateWarnings(object.spec?.template, 'spec.template', context),
      ];
    // kube-apiserver warns about the old template on update.
    return object.metadata?.generation === old.metadata?.generation
      ? []
      : templateWarnings(old.spec?.template, 'spec.template', context);
  },
  managesGeneration: true,
  deletion: { defaultPropagation: 'Orphan' },
  scale: {
    specPath: ['spec', 'replicas'],
    statusPath: ['status', 'replicas'],
    selector: (object) =>
      formatLabelSelector({ matchLabels: (object as ReplicationController).spec?.selector }),
  },
};

export const replicationControllers = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  shortNames: ['rc'],
  categories: ['all'],
  subresources: [SCALE, 'status'],
  storage: { prefix: 'controllers' },
  strategy: replicationControllerStrategy,
  fieldSelectors: {
    'status.replicas': (object) => String((object as ReplicationController).status?.replicas ?? 0),
  },
  table: replicaTable<ReplicationController>(({ spec }) => formatLabels(spec?.selector)),
});
