import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  OpaqueDeviceConfiguration,
} from '../../model/generated/resource-v1beta1.ts';
import { dns1123Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { RawJson } from '../../model/object.ts';
import { duplicate, type FieldError, invalid, required, tooLong, tooMany } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import type { ExpressionChecker } from '../admissionregistration/expressions.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { findDuplicateStrings } from '../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { validateSelector } from './device-expressions.ts';
import { validateFullName } from './qualified-names.ts';

const MAXIMUM_ELEMENTS = 32;
const MAXIMUM_PARAMETER_BYTES = 10 * 1024;
const MODES = ['All', 'ExactCount'];

export function setDeviceClaimDefaults(devices: DeviceClaim | undefined): void {
  for (const request of devices?.requests ?? []) {
    request.allocationMode ||= 'ExactCount';
    if (request.allocationMode === 'ExactCount') request.count ||= 1;
  }
}

/** Validates a list of at most 32 elements and each element. */
export function validateBoundedList<T>(
  list: readonly T[] | undefined,
  field: string,
  validate: (element: T, field: string) => FieldError[],
): FieldError[] {
  const elements = list ?? [];
  return [
    ...checkEach(elements, { place: field, cost: 2 }, (element, index) =>
      validate(element, `${field}[${index}]`),
    ),
    ...(elements.length > MAXIMUM_ELEMENTS ? [tooMany(field, elements.length, MAXIMUM_ELEMENTS)] : []),
  ];
}

export function validateDeviceClaim(
  { requests = [], constraints, config }: DeviceClaim,
  field: string,
  checker: ExpressionChecker,
): FieldError[] {
  const names = requests.map(({ name = '' }) => name);
  const known = new Set(names);
  const repeated = findDuplicateStrings(names);
  return [
    ...validateBoundedList(requests, `${field}.requests`, (request, path) =>
      validateRequest(request, path, checker),
    ),
    ...checkEach(requests, { place: 'duplicates' }, ({ name = '' }, index) =>
      repeated.has(index) ? [duplicate(`${field}.requests[${index}].name`, name)] : [],
    ),
    ...validateBoundedList(constraints, `${field}.constraints`, (constraint, path) =>
      validateConstraint(constraint, path, known),
    ),
    ...validateBoundedList(config, `${field}.config`, (configuration, path) =>
      validateConfiguration(configuration, path, known),
    ),
  ];
}

function validateRequest(
  { name = '', deviceClassName = '', selectors, allocationMode = '', count = 0 }: DeviceRequest,
  field: string,
  checker: ExpressionChecker,
): FieldError[] {
  const countField = `${field}.count`;
  return [
    ...invalidTexts(`${field}.name`, name, dns1123Label(name)),
    ...(deviceClassName === ''
      ? [required(`${field}.deviceClassName`)]
      : invalidTexts(`${field}.deviceClassName`, deviceClassName, dns1123Subdomain(deviceClassName))),
    ...validateBoundedList(selectors, `${field}.selectors`, (selector, path) =>
      validateSelector(selector, path, checker),
    ),
    ...validateOneOf(allocationMode, MODES, `${field}.allocationMode`),
    ...(allocationMode === 'ExactCount' && count <= 0
      ? [invalid(countField, count, 'must be greater than zero')]
      : []),
    ...(allocationMode === 'All' && count !== 0
      ? [invalid(countField, count, "must not be specified when allocationMode is 'All'")]
      : []),
  ];
}

/** Validates the name of an existing request. */
export const validateReference = (name: string, field: string, names: ReadonlySet<string>): FieldError[] => [
  ...invalidTexts(field, name, dns1123Label(name)),
  ...(names.has(name) ? [] : [invalid(field, name, 'must be the name of a request in the claim')]),
];

/** Validates references to requests: unique and existing. */
export function validateReferences(
  references: readonly string[] | undefined,
  field: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const repeated = findDuplicateStrings(references ?? []);
  return [
    ...validateBoundedList(references, field, (name, path) => validateReference(name, path, names)),
    ...checkEach(references ?? [], { place: `duplicates of ${field}` }, (name, index) =>
      repeated.has(index) ? [duplicate(`${field}[${index}]`, name)] : [],
    ),
  ];
}

function validateConstraint(
  { requests, matchAttribute }: DeviceConstraint,
  field: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const path = `${field}.matchAttribute`;
  return [
    ...validateReferences(requests, `${field}.requests`, names),
    ...(matchAttribute === undefined ? [required(path)] : validateFullName(matchAttribute, path)),
  ];
}

function validateConfiguration(
  { requests, opaque }: DeviceClaimConfiguration,
  field: string,
  names: ReadonlySet<string>,
): FieldError[] {
  return [
    ...validateReferences(requests, `${field}.requests`, names),
    ...validateOpaque(opaque, `${field}.opaque`),
  ];
}

/** Validates driver parameters: any JSON object. */
export function validateOpaque(opaque: OpaqueDeviceConfiguration | undefined, field: string): FieldError[] {
  if (opaque === undefined) return [required(field)];
  return [
    ...validateDriverName(opaque.driver ?? '', `${field}.driver`),
    ...validateParameterObject(opaque.parameters, `${field}.parameters`),
  ];
}

/** Validates data for a driver: a JSON object of bounded size. */
export function validateParameterObject(data: RawJson | undefined, field: string): FieldError[] {
  const text = data?.text ?? '';
  if (text === '' || text === 'null') return [required(field)];
  if (Buffer.byteLength(text) > MAXIMUM_PARAMETER_BYTES) return [tooLong(field, MAXIMUM_PARAMETER_BYTES)];
  return text.startsWith('{')
    ? []
    : [invalid(field, '<value omitted>', 'parameters must be a valid JSON object')];
}
