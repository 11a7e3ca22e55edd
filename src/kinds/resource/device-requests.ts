import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
  OpaqueDeviceConfiguration,
} from '../../model/generated/resource-v1.ts';
import type {
  DeviceClaim as FlatClaim,
  DeviceRequest as FlatRequest,
} from '../../model/generated/resource-v1beta1.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { RawJson } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidFormatted,
  required,
  tooLong,
  tooMany,
} from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import type { ExpressionChecker } from '../admissionregistration/expressions.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { findDuplicateStrings } from '../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { validateSelector } from './device-expressions.ts';
import { HAS_LATER_FORM } from './device-forms.ts';
import { validateDeviceToleration } from './device-taints.ts';
import { validateFullName } from './qualified-names.ts';
import { type RequestNames, requestNamesOf, validateRequestReference } from './request-names.ts';

const MAXIMUM_ELEMENTS = 32;
const MAXIMUM_ALTERNATIVES = 8;
const ONE_ATTRIBUTE =
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
const MAXIMUM_PARAMETER_BYTES = 10 * 1024;
const MODES = ['All', 'ExactCount'];

/** What an exact request, an alternative and a request of v1beta1 have. */
type Selection = ExactDeviceRequest | DeviceSubRequest;

function setSelectionDefaults(selection: Selection): void {
  selection.allocationMode ||= 'ExactCount';
  if (selection.allocationMode === 'ExactCount') selection.count ||= 1;
}

/** Sets the defaults of the requests of v1beta1 and v1alpha3. */
export function setFlatDefaults(devices: FlatClaim | undefined, { has }: Pick<RuleContext, 'has'>): void {
  for (const request of devices?.requests ?? []) {
    // A request that has only alternatives has no class.
    if (!has(HAS_LATER_FORM) || request.deviceClassName) setSelectionDefaults(request);
    for (const alternative of request.firstAvailable ?? []) setSelectionDefaults(alternative);
  }
}

/** Sets the defaults of the requests of v1beta2 and v1. */
export function setLaterDefaults(devices: DeviceClaim | undefined): void {
  for (const { exactly, firstAvailable = [] } of devices?.requests ?? [])
    for (const selection of exactly === undefined ? firstAvailable : [exactly, ...firstAvailable])
      setSelectionDefaults(selection);
}

/** Validates a list of at most 32 elements and each element. */
export function validateBoundedList<T>(
  list: readonly T[] | undefined,
  field: string,
  validate: (element: T, field: string) => FieldError[],
  maximum = MAXIMUM_ELEMENTS,
): FieldError[] {
  const elements = list ?? [];
  return [
    ...checkEach(elements, { place: field, cost: 2 }, (element, index) =>
      validate(element, `${field}[${index}]`),
    ),
    ...(elements.length > maximum ? [tooMany(field, elements.length, maximum)] : []),
  ];
}

/** The releases that report a repeated item at the item, not at its key. */
export const NAMES_ITEM: Life = { since: '1.35' };

/** The releases that report a mode where v1beta1 has it. */
const SHOWS_FLAT_FORM: Life = { since: '1.36' };

/** The releases that allow a request without a kind to be reported alone. */
const CHECKS_ONE_KIND: Life = { since: '1.36' };

/** Reports the items of a list whose names are repeated. */
export function validateUniqueNames(
  items: readonly { readonly name?: string }[],
  field: string,
  { has }: RuleContext,
): FieldError[] {
  const repeated = findDuplicateStrings(items.map(({ name = '' }) => name));
  return checkEach(items, { place: `duplicates of ${field}` }, ({ name = '' }, index) =>
    repeated.has(index)
      ? [duplicate(has(NAMES_ITEM) ? `${field}[${index}]` : `${field}[${index}].name`, name)]
      : [],
  );
}

/** Validates the devices of a claim, whose requests have the form that the release stores. */
export function validateDeviceClaim(
  claim: DeviceClaim,
  field: string,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] {
  const { requests = [], constraints, config } = claim;
  const names = requestNamesOf(claim, context);
  const validateOne = context.has(HAS_LATER_FORM) ? validateRequest : validateFlatRequest;
  return [
    ...validateBoundedList(requests, `${field}.requests`, (request, path) =>
      validateOne(request, path, checker, context),
    ),
    ...validateUniqueNames(requests, `${field}.requests`, context),
    ...validateBoundedList(constraints, `${field}.constraints`, (constraint, path) =>
      validateConstraint(constraint, path, names, context),
    ),
    ...validateBoundedList(config, `${field}.config`, (configuration, path) =>
      validateConfiguration(configuration, path, names, context),
    ),
  ];
}

const validateName = (name: string, field: string): FieldError[] =>
  invalidTexts(`${field}.name`, name, dns1123Label(name));

const validateFlatRequest = (
  { name = '', ...selection }: FlatRequest,
  field: string,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] => [...validateName(name, field), ...validateSelection(selection, field, checker, context)];

/** Validates a request: it has either exact conditions or alternatives. */
function validateRequest(
  { name = '', exactly, firstAvailable = [] }: DeviceRequest,
  field: string,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] {
  const text = 'exactly one of `exactly` or `firstAvailable` is required';
  const kinds = (exactly === undefined ? 0 : 1) + (firstAvailable.length === 0 ? 0 : 1);
  const errors = validateName(name, field);
  if (kinds > 1 && context.has(CHECKS_ONE_KIND))
    return [...errors, invalidFormatted(field, 'null', `${text}, but multiple fields are set`)];
  const alternatives = `${field}.firstAvailable`;
  errors.push(
    ...validateBoundedList(
      firstAvailable,
      alternatives,
      (alternative, path) => [
        ...validateName(alternative.name ?? '', path),
        ...validateSelection(alternative, path, checker, context),
      ],
      MAXIMUM_ALTERNATIVES,
    ),
    ...validateUniqueNames(firstAvailable, alternatives, context),
    ...(exactly === undefined ? [] : validateSelection(exactly, `${field}.exactly`, checker, context)),
  );
  if (kinds === 0) errors.push(required(field, text));
  if (kinds > 1) errors.push(invalidFormatted(field, 'null', `${text}, but multiple fields are set`));
  return errors;
}

function validateSelection(
  { deviceClassName = '', selectors, allocationMode = '', count = 0, tolerations = [] }: Selection,
  field: string,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] {
  const countField = `${field}.count`;
  return [
    ...(deviceClassName === ''
      ? [required(`${field}.deviceClassName`)]
      : invalidTexts(`${field}.deviceClassName`, deviceClassName, dns1123Subdomain(deviceClassName))),
    ...validateBoundedList(selectors, `${field}.selectors`, (selector, path) =>
      validateSelector(selector, path, checker),
    ),
    ...validateOneOf(
      allocationMode,
      MODES,
      context.has(SHOWS_FLAT_FORM)
        ? `${field.replace(/\.exactly$/, '')}.allocationMode`
        : `${field}.allocationMode`,
    ),
    ...(allocationMode === 'ExactCount' && count <= 0
      ? [invalid(countField, count, 'must be greater than zero')]
      : []),
    ...(allocationMode === 'All' && count !== 0
      ? [invalid(countField, count, "must not be specified when allocationMode is 'All'")]
      : []),
    ...checkEach(tolerations, { place: `${field}.tolerations`, cost: 2 }, (toleration, index) =>
      validateDeviceToleration(toleration, `${field}.tolerations[${index}]`, context),
    ),
  ];
}

/** Validates references to requests: unique and existing. */
export function validateReferences(
  references: readonly string[] | undefined,
  field: string,
  names: RequestNames,
): FieldError[] {
  const repeated = findDuplicateStrings(references ?? []);
  return [
    ...validateBoundedList(references, field, (name, path) => validateRequestReference(name, path, names)),
    ...checkEach(references ?? [], { place: `duplicates of ${field}` }, (name, index) =>
      repeated.has(index) ? [duplicate(`${field}[${index}]`, name)] : [],
    ),
  ];
}

function validateConstraint(
  { requests, matchAttribute, distinctAttribute }: DeviceConstraint,
  field: string,
  names: RequestNames,
  context: RuleContext,
): FieldError[] {
  const path = `${field}.matchAttribute`;
  const errors = validateReferences(requests, `${field}.requests`, names);
  if (matchAttribute !== undefined) return [...errors, ...validateFullName(matchAttribute, path, context)];
  if (distinctAttribute !== undefined)
    return [...errors, ...validateFullName(distinctAttribute, `${field}.distinctAttribute`, context)];
  return [...errors, context.isOn('DRAConsumableCapacity') ? required(field, ONE_ATTRIBUTE) : required(path)];
}

function validateConfiguration(
  { requests, opaque }: DeviceClaimConfiguration,
  field: string,
  names: RequestNames,
  context: RuleContext,
): FieldError[] {
  return [
    ...validateReferences(requests, `${field}.requests`, names),
    ...validateOpaque(opaque, `${field}.opaque`, context),
  ];
}

/** Validates driver parameters: any JSON object. */
export function validateOpaque(
  opaque: OpaqueDeviceConfiguration | undefined,
  field: string,
  context: RuleContext,
): FieldError[] {
  if (opaque === undefined) return [required(field)];
  const { driver = '' } = opaque;
  return [
    ...validateDriverName(driver, `${field}.driver`, context),
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
