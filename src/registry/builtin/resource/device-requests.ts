import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  OpaqueDeviceConfiguration,
} from '../../../model/generated/resource-v1beta1.ts';
import { duplicate, type FieldError, invalid, required, tooLong, tooMany } from '../../../status/field-error.ts';
import { validateDriverName } from '../../validation/drivers.ts';
import { invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { cIdentifier, dns1123Label, dns1123Subdomain } from '../../validation/names.ts';
import { repeatedTexts } from '../../validation/repetitions.ts';

const MOST = 32;
const LARGEST_PARAMETERS = 10 * 1024;
const LONGEST_EXPRESSION = 10 * 1024;
const MODES = ['All', 'ExactCount'];

export function setDeviceClaimDefaults(devices: DeviceClaim | undefined): void {
  for (const request of devices?.requests ?? []) {
    request.allocationMode ||= 'ExactCount';
    if (request.allocationMode === 'ExactCount') request.count ||= 1;
  }
}

/** A list of at most 32 elements, each valid. */
export function validateFew<T>(list: readonly T[] | undefined, field: string, validate: (element: T, field: string) => FieldError[]): FieldError[] {
  const elements = list ?? [];
  return [
    ...elements.flatMap((element, index) => validate(element, `${field}[${index}]`)),
    ...(elements.length > MOST ? [tooMany(field, elements.length, MOST)] : []),
  ];
}

export function validateDeviceClaim({ requests = [], constraints, config }: DeviceClaim, field: string): FieldError[] {
  const names = requests.map(({ name = '' }) => name);
  const known = new Set(names);
  const repeated = repeatedTexts(names);
  return [
    ...validateFew(requests, `${field}.requests`, validateRequest),
    ...names.flatMap((name, index) => (repeated.has(index) ? [duplicate(`${field}.requests[${index}].name`, name)] : [])),
    ...validateFew(constraints, `${field}.constraints`, (constraint, path) => validateConstraint(constraint, path, known)),
    ...validateFew(config, `${field}.config`, (configuration, path) => validateConfiguration(configuration, path, known)),
  ];
}

function validateRequest({ name = '', deviceClassName = '', selectors, allocationMode = '', count = 0 }: DeviceRequest, field: string): FieldError[] {
  const countField = `${field}.count`;
  return [
    ...(name === '' ? [required(`${field}.name`)] : invalidTexts(`${field}.name`, name, dns1123Label(name))),
    ...(deviceClassName === ''
      ? [required(`${field}.deviceClassName`)]
      : invalidTexts(`${field}.deviceClassName`, deviceClassName, dns1123Subdomain(deviceClassName))),
    ...validateFew(selectors, `${field}.selectors`, validateSelector),
    ...validateOneOf(allocationMode, MODES, `${field}.allocationMode`),
    ...(allocationMode === 'ExactCount' && count <= 0 ? [invalid(countField, count, 'must be greater than zero')] : []),
    ...(allocationMode === 'All' && count !== 0 ? [invalid(countField, count, "must not be specified when allocationMode is 'All'")] : []),
  ];
}

export function validateSelector({ cel }: DeviceSelector, field: string): FieldError[] {
  const path = `${field}.cel.expression`;
  if (cel === undefined) return [required(`${field}.cel`)];
  if (!cel.expression) return [required(path)];
  return cel.expression.length > LONGEST_EXPRESSION ? [tooLong(path, LONGEST_EXPRESSION)] : [];
}

/** References to requests: each once, each to one that there is. */
function validateReferences(references: readonly string[] | undefined, field: string, names: ReadonlySet<string>): FieldError[] {
  const repeated = repeatedTexts(references ?? []);
  return [
    ...validateFew(references, field, (name, path) => [
      ...invalidTexts(path, name, dns1123Label(name)),
      ...(names.has(name) ? [] : [invalid(path, name, 'must be the name of a request in the claim')]),
    ]),
    ...(references ?? []).flatMap((name, index) => (repeated.has(index) ? [duplicate(`${field}[${index}]`, name)] : [])),
  ];
}

function validateConstraint({ requests, matchAttribute }: DeviceConstraint, field: string, names: ReadonlySet<string>): FieldError[] {
  const path = `${field}.matchAttribute`;
  return [
    ...validateReferences(requests, `${field}.requests`, names),
    ...(matchAttribute === undefined ? [required(path)] : validateFullName(matchAttribute, path)),
  ];
}

/** `domain/identifier`. */
function validateFullName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  return name.includes('/') ? validateAttributeName(name, field) : [invalid(field, name, 'must include a domain')];
}

const LONGEST_IDENTIFIER = 32;

/** An identifier, or one with a domain before it. */
export function validateAttributeName(name: string, field: string): FieldError[] {
  const slash = name.indexOf('/');
  const identifier = name.slice(slash + 1);
  return [
    ...(slash < 0 ? [] : slash === 0 ? [required(field, 'the domain must not be empty')] : validateDriverName(name.slice(0, slash), field)),
    ...(identifier === '' ? [required(field, 'the name must not be empty')] : invalidTexts(field, identifier, cIdentifier(identifier))),
    ...(identifier.length > LONGEST_IDENTIFIER ? [tooLong(field, LONGEST_IDENTIFIER)] : []),
  ];
}

function validateConfiguration({ requests, opaque }: DeviceClaimConfiguration, field: string, names: ReadonlySet<string>): FieldError[] {
  return [...validateReferences(requests, `${field}.requests`, names), ...validateOpaque(opaque, `${field}.opaque`)];
}

/** Parameters of a driver: any JSON object. */
export function validateOpaque(opaque: OpaqueDeviceConfiguration | undefined, field: string): FieldError[] {
  if (opaque === undefined) return [required(field)];
  const text = opaque.parameters?.text ?? '';
  const path = `${field}.parameters`;
  const errors = validateDriverName(opaque.driver ?? '', `${field}.driver`);
  if (text === '') return [...errors, required(path)];
  if (Buffer.byteLength(text) > LARGEST_PARAMETERS) return [...errors, tooLong(path, LARGEST_PARAMETERS)];
  return text.startsWith('{') ? errors : [...errors, invalid(path, '<value omitted>', 'must be a valid JSON object')];
}
