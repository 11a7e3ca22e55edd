import type { KubernetesObject } from '../../../../model/object.ts';
import type { Strategy } from '../../../strategy.ts';
import { dropDisabledTemplateFields } from './drop-disabled-fields.ts';
import { setPodTemplateDefaults } from './pod-spec-defaults.ts';
import { validatePodTemplate } from './pod-template-validation.ts';
import type { PodTemplateSpec } from './pod-types.ts';
import { templateWarnings } from './pod-warnings.ts';

interface PodTemplate extends KubernetesObject {
  template?: PodTemplateSpec;
}

export const podTemplateStrategy: Strategy = {
  defaults: {
    v1(object: PodTemplate) {
      object.template ??= {};
      setPodTemplateDefaults(object.template);
    },
  },
  dropDisabledFields: (object: PodTemplate, old: PodTemplate | undefined, context) =>
    dropDisabledTemplateFields(object.template, old?.template, context),
  validate: (object: PodTemplate, context) => validatePodTemplate(object.template ?? {}, 'template', context),
  validateUpdate: (object: PodTemplate, _old, context) =>
    validatePodTemplate(object.template ?? {}, 'template', context),
  warnings: (object: PodTemplate, old: PodTemplate | undefined) =>
    old === undefined || object.metadata?.generation !== old.metadata?.generation
      ? templateWarnings(object.template, 'template')
      : [],
  managesGeneration: true,
  returnsDeletedObject: true,
};
