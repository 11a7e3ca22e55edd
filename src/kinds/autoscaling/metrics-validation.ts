import type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from '../../model/generated/autoscaling-v2.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Label, nameIsPathSegment } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, forbidden, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { formatGoQuantity } from '../validation/go-value.ts';
import { quantityTextSign } from '../validation/quantities.ts';
import { validateContainerResourceName } from '../validation/resource-names.ts';

type SourceMember = 'object' | 'external' | 'pods' | 'resource' | 'containerResource';

const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const SOURCES: readonly SourceMember[] = ['object', 'external', 'pods', 'resource', 'containerResource'];
const TARGET_TYPES = ['Utilization', 'Value', 'AverageValue'];

/** The releases that validate the versions of referenced objects. */
const VALIDATES_VERSIONS: Life = { since: '1.34' };

/** What the version of a referenced object can be, besides one that names a group. */
export type AllowedVersions = 'grouped' | 'core' | 'any';

/** What the versions of the objects of metrics can be: any, if one that is stored is invalid. */
export const allowedMetricVersions = (stored: readonly MetricSpec[]): AllowedVersions =>
  stored.some(
    ({ type, object }) =>
      type === 'Object' &&
      object !== undefined &&
      versionFault(object.describedObject?.apiVersion ?? '', 'core') !== undefined,
  )
    ? 'any'
    : 'core';

/** Validates a metric: it has exactly the source that its type names. */
export function validateMetric(
  metric: MetricSpec,
  field: string,
  allowed: AllowedVersions,
  context: RuleContext,
): FieldError[] {
  const { type = '' } = metric;
  const errors = type === '' ? [required(`${field}.type`, 'must specify a metric source type')] : [];
  const unknown = validateOneOf(type, TYPES, `${field}.type`);
  // kube-apiserver reports an unknown type twice: as unknown and as a type without source.
  errors.push(...unknown, ...unknown);
  const sources = SOURCES.filter((member) => metric[member] !== undefined);
  const expected = TYPES.includes(type)
    ? ((type.charAt(0).toLowerCase() + type.slice(1)) as SourceMember)
    : undefined;
  if (sources[0] !== undefined)
    errors.push(...validateSource(metric, sources[0], `${field}.${sources[0]}`, allowed, context));
  if (expected !== undefined && !sources.includes(expected))
    errors.push(required(`${field}.${expected}`, 'must populate information for the given metric source'));
  if (sources.length !== 1) {
    errors.push(
      ...sources
        .filter((member) => member !== expected)
        .map((member) => forbidden(`${field}.${member}`, 'must populate the given metric source only')),
    );
  }
  return errors;
}

function validateSource(
  { object, external, pods, resource, containerResource }: MetricSpec,
  member: SourceMember,
  field: string,
  allowed: AllowedVersions,
  context: RuleContext,
): FieldError[] {
  if (member === 'object') {
    const { describedObject = {}, metric, target } = object!;
    return [
      ...validateReference(describedObject, `${field}.describedObject`, allowed, context),
      ...validateNamed(metric, target, field),
      ...requireEither(
        target?.value,
        target?.averageValue,
        `${field}.target.averageValue`,
        'must set either a target value or averageValue',
      ),
    ];
  }
  if (member === 'external') {
    const { metric, target } = external!;
    return [
      ...validateNamed(metric, target, field),
      ...requireEither(
        target?.value,
        target?.averageValue,
        `${field}.target.averageValue`,
        'must set either a target value for metric or a per-pod target',
      ),
      ...forbidBoth(
        target?.value,
        target?.averageValue,
        `${field}.target.value`,
        'may not set both a target value for metric and a per-pod target',
      ),
    ];
  }
  if (member === 'pods') {
    const { metric, target } = pods!;
    return [
      ...validateNamed(metric, target, field),
      ...(target?.averageValue !== undefined
        ? []
        : [required(`${field}.target.averageValue`, 'must specify a positive target averageValue')]),
    ];
  }
  const { name, target } = (member === 'resource' ? resource : containerResource)!;
  return [
    ...(name
      ? member === 'resource'
        ? []
        : validateContainerResourceName(name, `${field}.name`)
      : [required(`${field}.name`, 'must specify a resource name')]),
    ...(member === 'resource' ? [] : validateContainer(containerResource!.container, `${field}.container`)),
    ...validateTarget(target, `${field}.target`),
    ...requireEither(
      target?.averageUtilization,
      target?.averageValue,
      `${field}.target.averageUtilization`,
      'must set either a target raw value or a target utilization',
    ),
    ...forbidBoth(
      target?.averageUtilization,
      target?.averageValue,
      `${field}.target.averageValue`,
      'may not set both a target raw value and a target utilization',
    ),
  ];
}

const validateContainer = (name: string | undefined, field: string): FieldError[] =>
  name ? invalidTexts(field, name, dns1123Label(name)) : [required(field, 'must specify a container')];

const requireEither = (a: unknown, b: unknown, field: string, text: string): FieldError[] =>
  a === undefined && b === undefined ? [required(field, text)] : [];
const forbidBoth = (a: unknown, b: unknown, field: string, text: string): FieldError[] =>
  a !== undefined && b !== undefined ? [forbidden(field, text)] : [];

/** Validates a reference to a scale target or to the object of a metric. */
export function validateReference(
  { kind = '', name = '', apiVersion = '' }: CrossVersionObjectReference,
  field: string,
  allowed: AllowedVersions,
  { has }: RuleContext,
): FieldError[] {
  const fault = has(VALIDATES_VERSIONS) ? versionFault(apiVersion, allowed) : undefined;
  return [
    ...(kind === ''
      ? [required(`${field}.kind`)]
      : invalidTexts(`${field}.kind`, kind, nameIsPathSegment(kind, false))),
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidTexts(`${field}.name`, name, nameIsPathSegment(name, false))),
    ...(fault === undefined ? [] : [invalid(`${field}.apiVersion`, apiVersion, fault)]),
  ];
}

/** Why the version of a referenced object is not allowed; undefined if it is. */
function versionFault(apiVersion: string, allowed: AllowedVersions): string | undefined {
  if (allowed === 'any') return undefined;
  const parts = apiVersion === '/' ? [] : apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const hasGroup = parts.length === 2 && parts[0] !== '';
  return hasGroup || allowed === 'core' ? undefined : 'apiVersion must specify API group';
}

const validateNamed = (
  metric: MetricIdentifier | undefined,
  target: MetricTarget | undefined,
  field: string,
): FieldError[] => [
  ...validateIdentifier(metric, `${field}.metric`),
  ...validateTarget(target, `${field}.target`),
];

function validateIdentifier({ name = '' }: MetricIdentifier = {}, field: string): FieldError[] {
  return name === ''
    ? [required(`${field}.name`, 'must specify a metric name')]
    : invalidTexts(`${field}.name`, name, nameIsPathSegment(name, false));
}

function validateTarget(
  { type = '', value, averageValue, averageUtilization }: MetricTarget = {},
  field: string,
): FieldError[] {
  const positive = (amount: string | undefined, member: string): FieldError[] =>
    amount === undefined || quantityTextSign(amount) > 0
      ? []
      : [invalidFormatted(`${field}.${member}`, formatGoQuantity(amount), 'must be positive')];
  return [
    ...(type === '' ? [required(`${field}.type`, 'must specify a metric target type')] : []),
    ...(TARGET_TYPES.includes(type)
      ? []
      : [invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...positive(value, 'value'),
    ...positive(averageValue, 'averageValue'),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalid(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ];
}
