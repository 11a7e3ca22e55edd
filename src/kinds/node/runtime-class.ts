import type { Toleration } from '../../model/generated/core-v1.ts';
import type { RuntimeClass, Scheduling } from '../../model/generated/node-v1.ts';
import { dns1123Label } from '../../model/name-syntax.ts';
import { duplicateFormatted, type FieldError } from '../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import { nodeLabelDeprecation } from '../core/pods/pod-warnings.ts';
import { validateTolerations } from '../core/pods/scheduling-validation.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { findDuplicateStrings } from '../validation/duplicates.ts';
import { invalidTexts, validateImmutable } from '../validation/fields.ts';
import { formatGo } from '../validation/go-value.ts';
import { validateLabels } from '../validation/labels.ts';
import { validateResourceRequirements } from '../validation/resources.ts';

function validate({ handler = '', overhead, scheduling }: RuntimeClass): FieldError[] {
  return [
    ...invalidTexts('handler', handler, dns1123Label(handler)),
    ...(overhead === undefined
      ? []
      : validateResourceRequirements({ limits: overhead.podFixed }, 'overhead')),
    ...(scheduling === undefined ? [] : validateScheduling(scheduling, 'scheduling')),
  ];
}

const identityOf = ({ key = '', operator = '', value = '', effect = '' }: Toleration): string =>
  JSON.stringify([key, operator, value, effect]);

/** Validates the scheduling constraints that are merged into pods; tolerations must be unique. */
function validateScheduling({ nodeSelector, tolerations = [] }: Scheduling, field: string): FieldError[] {
  const repeated = findDuplicateStrings(
    resultsOfEach(tolerations, { place: 'identity', cost: 2 }, identityOf),
  );
  return [
    ...validateLabels(nodeSelector, `${field}.nodeSelector`),
    // kube-apiserver repeats the member in these paths.
    ...validateTolerations(tolerations, `${field}.tolerations.tolerations`),
    ...checkEach(tolerations, { place: 'duplicates' }, (toleration, index) =>
      repeated.has(index)
        ? [duplicateFormatted(`${field}.tolerations[${index}]`, formatGo('core.Toleration', toleration))]
        : [],
    ),
  ];
}

export const runtimeClassStrategy: Strategy = {
  validate,
  validateUpdate: (object: RuntimeClass, old: RuntimeClass) => [
    ...validate(object),
    ...validateImmutable(object.handler ?? '', old.handler ?? '', 'handler'),
  ],
  warnings: ({ scheduling }: RuntimeClass) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
      const text = nodeLabelDeprecation(label);
      return text === undefined ? [] : [`scheduling.nodeSelector: ${text}`];
    }),
  createsOnUpdate: true,
  requiresResourceVersion: true,
  metadata: {
    allowsUnqualifiedFinalizers: true,
    checks: { update: ['whole', 'change'] },
  },
};

export const runtimeClasses = defineResource({
  group: 'node.k8s.io',
  versions: ['v1'],
  resource: 'runtimeclasses',
  kind: 'RuntimeClass',
  scope: 'Cluster',
  strategy: runtimeClassStrategy,
  table: table<RuntimeClass>(
    [NAME, column('Handler', 'Configuration of the container runtime.'), AGE],
    (object) => [nameOf(object), object.handler ?? '', ageOf(object)],
  ),
  descriptions: {
    RuntimeClass: 'Configuration of the container runtime.',
    'RuntimeClass.handler': 'Name of the runtime handler on the nodes.',
  },
});
