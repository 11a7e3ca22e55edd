import type { FlowSchema, FlowSchemaSpec } from '../../model/generated/flowcontrol-v1.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import {
  type FieldError,
  invalid,
  invalidFormatted,
  notSupportedFormatted,
  required,
} from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import { restoreAllButStatus } from '../restore-status.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { conditionStatus } from '../tables/format.ts';
import { invalidTexts } from '../validation/fields.ts';
import { formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { mandatoryFlowSchema } from './bootstrap-objects.ts';
import { formatGoFlowSchemaSpec } from './format-flow-schema.ts';
import { validateRules, validateStatus } from './rules-validation.ts';

const DEFAULT_PRECEDENCE = 1000;
const LAST_PRECEDENCE = 10_000;
const FIRST_SCHEMA = 'exempt';
const METHODS = ['ByNamespace', 'ByUser'];

function setDefaults(object: FlowSchema): void {
  object.spec ??= {};
  object.spec.matchingPrecedence ||= DEFAULT_PRECEDENCE;
}

function validatePrecedence(precedence: number, name: string): FieldError[] {
  const reject = (text: string): FieldError[] => [invalid('spec.matchingPrecedence', precedence, text)];
  if (precedence <= 0) return reject('must be a positive value');
  if (precedence > LAST_PRECEDENCE) return reject(`must not be greater than ${LAST_PRECEDENCE}`);
  return precedence === 1 && name !== FIRST_SCHEMA
    ? reject(`only the schema named '${FIRST_SCHEMA}' may have matchingPrecedence 1`)
    : [];
}

function validateMethod(method: FlowSchemaSpec['distinguisherMethod'], field: string): FieldError[] {
  if (method === undefined || METHODS.includes(method.type ?? '')) return [];
  return [
    notSupportedFormatted(
      field,
      formatGoStruct('flowcontrol.FlowDistinguisherMethod', { Type: formatGoText(method.type) }),
      METHODS,
    ),
  ];
}

function validateFixed(spec: FlowSchemaSpec, name: string): FieldError[] {
  const fixed = mandatoryFlowSchema(name)?.spec;
  return fixed === undefined || semanticEqual(spec, fixed)
    ? []
    : [
        invalidFormatted(
          'spec',
          formatGoFlowSchemaSpec(spec),
          `spec of '${name}' must equal the fixed value`,
        ),
      ];
}

function validate(object: FlowSchema): FieldError[] {
  const { metadata, spec = {} } = object;
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration = {}, rules = [] } = spec;
  const name = metadata?.name ?? '';
  const levelField = 'spec.priorityLevelConfiguration.name';
  const { name: level = '' } = priorityLevelConfiguration;
  return [
    ...validatePrecedence(matchingPrecedence, name),
    ...validateMethod(distinguisherMethod, 'spec.distinguisherMethod.type'),
    ...(level === ''
      ? [required(levelField, 'must reference a priority level')]
      : invalidTexts(levelField, level, dns1123Subdomain(level))),
    ...rules.flatMap((rule, index) => validateRules(rule, `spec.rules[${index}]`)),
    ...validateFixed(spec, name),
    ...validateStatus(object),
  ];
}

export const flowSchemaStrategy: Strategy = {
  defaulting: { byVersion: { v1: setDefaults } },
  validate,
  validateUpdate: validate,
  prepareForSubresource: { status: restoreAllButStatus },
  validateSubresource: { status: validateStatus },
  managesGeneration: true,
  metadata: { checks: { update: ['whole'] } },
  status: { updatesMetadata: false },
};

const flowSchemaCells = table<FlowSchema>(
  [
    NAME,
    column('PriorityLevel', 'Priority level of its requests.'),
    column('MatchingPrecedence', 'Schemas with lower precedence match first.'),
    column('DistinguisherMethod', 'How flows are distinguished.'),
    AGE,
    column('MissingPL', 'Whether the priority level is missing.'),
  ],
  (object) => [
    nameOf(object),
    object.spec?.priorityLevelConfiguration?.name ?? '',
    object.spec?.matchingPrecedence ?? 0,
    object.spec?.distinguisherMethod?.type ?? '<none>',
    ageOf(object),
    conditionStatus(object.status?.conditions, 'Dangling') ?? '?',
  ],
);

/** Compares flow schemas in matching order. */
function compareFlowSchemas(a: FlowSchema, b: FlowSchema): number {
  const difference = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return difference !== 0 ? difference : nameOf(a) < nameOf(b) ? -1 : 1;
}

export const flowSchemas = defineResource({
  group: 'flowcontrol.apiserver.k8s.io',
  versions: ['v1'],
  resource: 'flowschemas',
  kind: 'FlowSchema',
  scope: 'Cluster',
  subresources: ['status'],
  strategy: flowSchemaStrategy,
  table: { ...flowSchemaCells, compare: compareFlowSchemas },
});
