import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '../../model/generated/flowcontrol-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, forbidden, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import { restoreAllButStatus } from '../restore-status.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { validateOneOf, validateRange } from '../validation/fields.ts';
import { formatGoPointer, formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { bootstrapPriorityLevels } from './bootstrap-objects.ts';
import { validateStatus } from './rules-validation.ts';

const EXEMPT = 'exempt';
const CATCH_ALL = 'catch-all';
const DEFAULT_SHARES = 30;
const MAXIMUM_QUEUES = 10_000_000;
/** Bits of the request hash from which shuffle sharding deals a hand. */
const HASH_BITS = 60;

function setDefaults({ spec = {} }: PriorityLevelConfiguration): void {
  const { limited, exempt } = spec;
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
  if (limited === undefined) return;
  limited.nominalConcurrencyShares ??= DEFAULT_SHARES;
  limited.lendablePercent ??= 0;
  const queuing = limited.limitResponse?.queuing;
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}

/** The releases that report a type that is missing as missing. */
const REQUIRES_TYPE: Life = { since: '1.36' };

function validateSpec(
  { type = '', limited, exempt }: PriorityLevelConfigurationSpec,
  name: string,
  context: RuleContext,
): FieldError[] {
  const errors =
    (name === EXEMPT) === (type === 'Exempt')
      ? []
      : [invalid('spec.type', type, `type must be 'Exempt' if and only if name is '${EXEMPT}'`)];
  if (type === 'Exempt') {
    if (limited !== undefined)
      errors.push(forbidden('spec.limited', 'must be nil if the type is not Limited'));
    return [...errors, ...(exempt === undefined ? [] : validateShares(exempt, 'spec.exempt'))];
  }
  if (type === '' && context.has(REQUIRES_TYPE))
    return [
      ...errors,
      ...(limited === undefined ? [] : [forbidden('spec.limited', '')]),
      ...(exempt === undefined ? [] : [forbidden('spec.exempt', '')]),
      required('spec.type'),
    ];
  if (type !== 'Limited') return [...errors, ...validateOneOf(type, ['Exempt', 'Limited'], 'spec.type')];
  if (exempt !== undefined) errors.push(forbidden('spec.exempt', 'must be nil if the type is Limited'));
  if (limited === undefined)
    return [...errors, required('spec.limited', 'must not be empty when type is Limited')];
  return [...errors, ...validateLimited(limited, 'spec.limited', context)];
}

function validateShares(
  { nominalConcurrencyShares = 0, lendablePercent = 0 }: LimitedPriorityLevelConfiguration,
  field: string,
  between: FieldError[] = [],
): FieldError[] {
  return [
    ...(nominalConcurrencyShares < 0
      ? [
          invalid(
            `${field}.nominalConcurrencyShares`,
            nominalConcurrencyShares,
            'must be a non-negative integer',
          ),
        ]
      : []),
    ...between,
    ...validateRange(lendablePercent, 0, 100, `${field}.lendablePercent`),
  ];
}

function validateLimited(
  limited: LimitedPriorityLevelConfiguration,
  field: string,
  context: RuleContext,
): FieldError[] {
  const { limitResponse = {}, borrowingLimitPercent } = limited;
  const borrowing = `${field}.borrowingLimitPercent`;
  return [
    ...validateShares(limited, field, validateResponse(limitResponse, `${field}.limitResponse`, context)),
    ...(borrowingLimitPercent !== undefined && borrowingLimitPercent < 0
      ? [invalid(borrowing, borrowingLimitPercent, 'if specified, must be a non-negative integer')]
      : []),
  ];
}

function validateResponse(
  { type = '', queuing }: LimitResponse,
  field: string,
  context: RuleContext,
): FieldError[] {
  const path = `${field}.queuing`;
  if (type === 'Reject')
    return queuing === undefined
      ? []
      : [forbidden(path, 'must be nil if limited.limitResponse.type is not Limited')];
  if (type === '' && context.has(REQUIRES_TYPE))
    return [...(queuing === undefined ? [] : [forbidden(path, '')]), required(`${field}.type`)];
  if (type !== 'Queue') return validateOneOf(type, ['Queue', 'Reject'], `${field}.type`);
  return queuing === undefined
    ? [required(path, 'must not be empty if limited.limitResponse.type is Limited')]
    : validateQueuing(queuing, path);
}

function validateQueuing(
  { queueLengthLimit = 0, queues = 0, handSize = 0 }: QueuingConfiguration,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const reject = (member: string, value: number, text: string): number =>
    errors.push(invalid(`${field}.${member}`, value, text));
  if (queueLengthLimit <= 0) reject('queueLengthLimit', queueLengthLimit, 'must be positive');
  if (queues <= 0) reject('queues', queues, 'must be positive');
  else if (queues > MAXIMUM_QUEUES) reject('queues', queues, `must not be greater than ${MAXIMUM_QUEUES}`);
  if (handSize <= 0) reject('handSize', handSize, 'must be positive');
  else if (handSize > queues) reject('handSize', handSize, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * handSize) > HASH_BITS) {
    reject(
      'handSize',
      handSize,
      `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${HASH_BITS}`,
    );
  }
  return errors;
}

const formatSpec = ({ type, limited, exempt }: PriorityLevelConfigurationSpec): string =>
  formatGoStruct('flowcontrol.PriorityLevelConfigurationSpec', {
    Type: formatGoText(type),
    Limited: formatGoPointer('flowcontrol.LimitedPriorityLevelConfiguration', limited),
    Exempt: formatGoPointer('flowcontrol.ExemptPriorityLevelConfiguration', exempt),
  });

/**
 * Validates the mandatory priority levels: the spec of `catch-all` is fixed, `exempt` may only change its
 * settings.
 */
function validateFixed(spec: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  if (name !== EXEMPT && name !== CATCH_ALL) return [];
  const fixed = bootstrapPriorityLevels().find(({ metadata }) => metadata?.name === name)
    ?.spec as PriorityLevelConfigurationSpec;
  const compared = name === EXEMPT && spec.exempt !== undefined ? { ...spec, exempt: fixed.exempt } : spec;
  if (semanticEqual(compared, fixed)) return [];
  const exception = name === EXEMPT ? " except the 'spec.exempt' field" : '';
  return [
    invalidFormatted('spec', formatSpec(spec), `spec of '${name}'${exception} must equal the fixed value`),
  ];
}

function validate(object: PriorityLevelConfiguration, context: RuleContext): FieldError[] {
  const { metadata, spec = {} } = object;
  const name = metadata?.name ?? '';
  return [...validateSpec(spec, name, context), ...validateFixed(spec, name), ...validateStatus(object)];
}

export const priorityLevelConfigurationStrategy: Strategy = {
  defaulting: { byVersion: { v1: setDefaults } },
  validate,
  validateUpdate: (object, _old, context) => validate(object as PriorityLevelConfiguration, context),
  prepareForSubresource: { status: restoreAllButStatus },
  validateSubresource: { status: validateStatus },
  managesGeneration: true,
  metadata: { checks: { update: ['whole'] } },
  status: { updatesMetadata: false },
};

export const priorityLevelConfigurations = defineResource({
  group: 'flowcontrol.apiserver.k8s.io',
  versions: ['v1'],
  resource: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  scope: 'Cluster',
  subresources: ['status'],
  strategy: priorityLevelConfigurationStrategy,
  table: table<PriorityLevelConfiguration>(
    [
      NAME,
      column('Type', 'Limited or exempt.'),
      column('NominalConcurrencyShares', 'Nominal concurrency shares.'),
      column('Queues', 'Number of queues.'),
      column('HandSize', 'Number of queues in the hand of a flow.'),
      column('QueueLengthLimit', 'Maximum number of requests in a queue.'),
      AGE,
    ],
    (object) => {
      const { type = '', limited } = object.spec ?? {};
      const queuing = limited?.limitResponse?.queuing;
      const amount = (count: number | undefined) => (queuing === undefined ? '<none>' : (count ?? 0));
      return [
        nameOf(object),
        type,
        limited === undefined ? '<none>' : (limited.nominalConcurrencyShares ?? 0),
        amount(queuing?.queues),
        amount(queuing?.handSize),
        amount(queuing?.queueLengthLimit),
        ageOf(object),
      ];
    },
  ),
});
