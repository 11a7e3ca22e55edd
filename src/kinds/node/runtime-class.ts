import type { Toleration } from '../../model/generated/core-v1.ts';
import type { RuntimeClass, Scheduling } from '../../model/generated/node-v1.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Label } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { duplicateFormatted, type FieldError, required } from '../../status/field-error.ts';
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

/** The releases that require a handler, and name tolerations once in paths. */
const REQUIRES_HANDLER: Life = { since: '1.36' };

function validate({ handler = '', overhead, scheduling }: RuntimeClass, context: RuleContext): FieldError[] {
  return [
    ...(handler === '' && context.has(REQUIRES_HANDLER)
      ? [required('handler')]
      : invalidTexts('handler', handler, dns1123Label(handler))),
    ...(overhead === undefined
      ? []
      : validateResourceRequirements({ limits: overhead.podFixed }, 'overhead')),
    ...(scheduling === undefined ? [] : validateScheduling(scheduling, 'scheduling', context)),
  ];
}

const identityOf = ({ key = '', operator = '', value = '', effect = '' }: Toleration): string =>
  JSON.stringify([key, operator, value, effect]);

/** Validates the scheduling constraints that are merged into pods; tolerations must be unique. */
function validateScheduling(
  { nodeSelector, tolerations = [] }: Scheduling,
  field: string,
  { has }: RuleContext,
): FieldError[] {
  const repeated = findDuplicateStrings(
    resultsOfEach(tolerations, { place: 'identity', cost: 2 }, identityOf),
  );
  return [
    ...validateLabels(nodeSelector, `${field}.nodeSelector`),
    // Earlier releases repeat the member in these paths.
    ...validateTolerations(
      tolerations,
      has(REQUIRES_HANDLER) ? `${field}.tolerations` : `${field}.tolerations.tolerations`,
    ),
    ...checkEach(tolerations, { place: 'duplicates' }, (toleration, index) =>
      repeated.has(index)
        ? [duplicateFormatted(`${field}.tolerations[${index}]`, formatGo('core.Toleration', toleration))]
        : [],
    ),
  ];
}

export const runtimeClassStrategy: Strategy = {
  validate,
  validateUpdate: (object: RuntimeClass, old: RuntimeClass, context) => [
    ...validate(object, context),
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
});
