import type { PodTemplate } from '../../../model/generated/core-v1.ts';
import { defineResource } from '../../builtin-resource.ts';
import type { Strategy } from '../../strategy.ts';
import { column, NAME, nameOf, table } from '../../tables/define.ts';
import { containerCells, formatLabels } from '../../tables/format.ts';
import { dropDisabledTemplateFields } from './drop-disabled-fields.ts';
import { setPodTemplateDefaults } from './pod-spec-defaults.ts';
import { validatePodTemplate } from './pod-template-validation.ts';
import { withOldTemplate } from './pod-validation-options.ts';
import { templateWarnings } from './pod-warnings.ts';

export const podTemplateStrategy: Strategy = {
  defaulting: {
    byVersion: {
      v1(object: PodTemplate) {
        object.template ??= {};
        setPodTemplateDefaults(object.template);
      },
    },
  },
  dropDisabledFields: (object: PodTemplate, old: PodTemplate | undefined, context) =>
    dropDisabledTemplateFields(object.template, old?.template, context),
  validate: (object: PodTemplate, context) => validatePodTemplate(object.template ?? {}, 'template', context),
  validateUpdate: (object: PodTemplate, old: PodTemplate, context) =>
    validatePodTemplate(object.template ?? {}, 'template', withOldTemplate(context, old.template)),
  warnings: (object: PodTemplate, old: PodTemplate | undefined, context) =>
    old === undefined || object.metadata?.generation !== old.metadata?.generation
      ? templateWarnings(object.template, 'template', context)
      : [],
  managesGeneration: true,
  deletion: { returnsObject: true },
};

export const podTemplates = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'podtemplates',
  kind: 'PodTemplate',
  strategy: podTemplateStrategy,
  table: table<PodTemplate>(
    [
      NAME,
      column('Containers', 'Names of the containers.'),
      column('Images', 'Images of the containers.'),
      column('Pod Labels', 'Labels of the pods.'),
    ],
    (object) => [
      nameOf(object),
      ...containerCells(object.template?.spec),
      formatLabels(object.template?.metadata?.labels),
    ],
  ),
});
