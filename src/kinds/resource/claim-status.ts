import { formatAddress } from '../../addresses/address.ts';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '../../model/generated/resource-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { dns1123Label } from '../../model/name-syntax.ts';
import type { RawJson } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
  tooLong,
  tooMany,
} from '../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../steps/replay.ts';
import { validateNodeSelector } from '../core/pods/affinity-validation.ts';
import { parseCidr, validateCidr } from '../validation/addresses.ts';
import { validateConditions } from '../validation/conditions.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { findDuplicateStrings, findDuplicates } from '../validation/duplicates.ts';
import { IMMUTABLE, invalidTexts, validateOneOf } from '../validation/fields.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { validateBindingConditions, validateSkippedOperations } from './binding-conditions.ts';
import {
  NAMES_ITEM,
  validateBoundedList,
  validateOpaque,
  validateParameterObject,
  validateReferences,
} from './device-requests.ts';
import { validatePoolName } from './qualified-names.ts';
import { type RequestNames, requestNamesOf, validateRequestReference } from './request-names.ts';

const MAXIMUM_CONSUMERS = 256;
/** Configurations of the class and of the claim. */
const MAXIMUM_CONFIGURATIONS = 64;
const MAXIMUM_CONDITIONS = 8;
const MAXIMUM_ADDRESSES = 16;
const MAXIMUM_INTERFACE_BYTES = 256;
const MAXIMUM_HARDWARE_ADDRESS_BYTES = 128;
const SOURCES = ['FromClaim', 'FromClass'];

type DeviceName = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device' | 'shareID'>;

const nameOf = ({ driver = '', pool = '', device = '', shareID }: DeviceName): string =>
  `${driver}/${pool}/${device}${shareID === undefined ? '' : `/${shareID}`}`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Validates the id of a share of a device. */
const validateShare = (id: string, field: string): FieldError[] =>
  UUID.test(id)
    ? []
    : [
        invalid(
          field,
          id,
          'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters',
        ),
      ];

const allocatedIn = ({ status }: ResourceClaim): readonly DeviceName[] =>
  status?.allocation?.devices?.results ?? [];

/** Drops the status of devices that an update deallocates. */
export function dropDeallocatedDevices(object: ResourceClaim, old: ResourceClaim): void {
  const { status } = object;
  if (status?.devices === undefined) return;
  const kept = new Set(allocatedIn(object).map(nameOf));
  const dropped = new Set(
    allocatedIn(old)
      .map(nameOf)
      .filter((name) => !kept.has(name)),
  );
  status.devices = status.devices.filter((device) => !dropped.has(nameOf(device)));
  if (status.devices.length === 0) delete status.devices;
}

/**
 * Validates the status: an allocation is immutable and can only be removed as a whole, when the claim has no
 * consumers.
 */
export function validateClaimStatus(
  object: ResourceClaim,
  old: ResourceClaim,
  context: RuleContext,
): FieldError[] {
  const { spec, status: { reservedFor = [], allocation, devices = [] } = {} } = object;
  const before = old.status?.allocation;
  const allocated = new Set(allocatedIn(object).map(nameOf));
  const repeated = findDuplicates(devices, nameOf);
  const changed =
    before !== undefined &&
    allocation !== undefined &&
    !semanticEqual(allocation, before, internalTypes.type('resource_v1beta1.AllocationResult'));
  const requests = requestNamesOf(spec?.devices ?? {}, context);
  return [
    ...validateConsumers(reservedFor, 'status.reservedFor', context),
    ...checkEach(devices, { place: 'devices', cost: 4 }, (device, index) =>
      validateDevice(device, `status.devices[${index}]`, allocated, context),
    ),
    ...checkEach(devices, { place: 'duplicates' }, (device, index) =>
      repeated.has(index)
        ? [
            duplicate(
              context.has(NAMES_ITEM) ? `status.devices[${index}]` : `status.devices[${index}].deviceID`,
              nameOf(device),
            ),
          ]
        : [],
    ),
    ...validateReservation(object, old),
    ...(changed ? [invalid('status.allocation', allocation, IMMUTABLE)] : []),
    ...(before === undefined && allocation !== undefined
      ? validateAllocation(allocation, 'status.allocation', requests, context)
      : []),
  ];
}

function validateConsumers(
  consumers: readonly ResourceClaimConsumerReference[],
  field: string,
  { has }: RuleContext,
): FieldError[] {
  const repeated = findDuplicates(consumers, ({ uid = '' }) => uid);
  return [
    ...checkEach(consumers, { place: field }, ({ resource, name, uid = '' }, index) => [
      ...(resource ? [] : [required(`${field}[${index}].resource`)]),
      ...(name ? [] : [required(`${field}[${index}].name`)]),
      ...(uid ? [] : [required(`${field}[${index}].uid`)]),
      ...(repeated.has(index)
        ? [duplicate(has(NAMES_ITEM) ? `${field}[${index}]` : `${field}[${index}].uid`, uid)]
        : []),
    ]),
    ...(consumers.length > MAXIMUM_CONSUMERS ? [tooMany(field, consumers.length, MAXIMUM_CONSUMERS)] : []),
  ];
}

function validateReservation({ metadata, status = {} }: ResourceClaim, old: ResourceClaim): FieldError[] {
  const { reservedFor = [], allocation } = status;
  if (reservedFor.length === 0) return [];
  if (allocation === undefined)
    return [forbidden('status.reservedFor', 'may not be specified when `allocated` is not set')];
  if (metadata?.deletionTimestamp === undefined) return [];
  const keyOf = ({ apiGroup = '', resource = '', name = '', uid = '' }: ResourceClaimConsumerReference) =>
    JSON.stringify([apiGroup, resource, name, uid]);
  const known = new Set((old.status?.reservedFor ?? []).map(keyOf));
  return reservedFor.every((consumer) => known.has(keyOf(consumer)))
    ? []
    : [
        forbidden(
          'status.reservedFor',
          'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
        ),
      ];
}

function validateDevice(
  device: AllocatedDeviceStatus,
  field: string,
  allocated: ReadonlySet<string>,
  context: RuleContext,
): FieldError[] {
  const { conditions = [], data, networkData } = device;
  return [
    ...validateDeviceName(device, field, context),
    ...(device.shareID === undefined ? [] : validateShare(device.shareID, `${field}.shareID`)),
    ...(allocated.has(nameOf(device))
      ? []
      : [invalid(field, nameOf(device), 'must be an allocated device in the claim')]),
    ...(conditions.length > MAXIMUM_CONDITIONS
      ? [tooMany(`${field}.conditions`, conditions.length, MAXIMUM_CONDITIONS)]
      : []),
    ...validateConditions(conditions, `${field}.conditions`, context),
    ...(data === undefined ? [] : validateData(data, `${field}.data`)),
    ...(networkData === undefined ? [] : validateNetworkData(networkData, `${field}.networkData`)),
  ];
}

function validateDeviceName(named: DeviceName, field: string, context: RuleContext): FieldError[] {
  const { driver = '', pool = '', device = '' } = named;
  return [
    ...validateDriverName(driver, `${field}.driver`, context),
    ...validatePoolName(named, pool, `${field}.pool`),
    ...invalidTexts(`${field}.device`, device, dns1123Label(device)),
  ];
}

const validateData = (data: RawJson, field: string): FieldError[] =>
  data.text === '' ? [] : validateParameterObject(data, field);

function validateNetworkData(
  { interfaceName = '', hardwareAddress = '', ips = [] }: NetworkDeviceData,
  field: string,
): FieldError[] {
  const repeated = findDuplicateStrings(
    resultsOfEach(ips, { place: 'canonical', cost: 4 }, canonicalAddress),
  );
  return [
    ...validateLength(interfaceName, `${field}.interfaceName`, MAXIMUM_INTERFACE_BYTES),
    ...validateLength(hardwareAddress, `${field}.hardwareAddress`, MAXIMUM_HARDWARE_ADDRESS_BYTES),
    ...checkEach(ips, { place: 'ips', cost: 3 }, (address, index) =>
      validateCidr(address, `${field}.ips[${index}]`),
    ),
    ...(ips.length > MAXIMUM_ADDRESSES ? [tooMany(`${field}.ips`, ips.length, MAXIMUM_ADDRESSES)] : []),
    ...checkEach(ips, { place: 'duplicates' }, (address, index) =>
      repeated.has(index) ? [duplicate(`${field}.ips[${index}]`, canonicalAddress(address))] : [],
    ),
  ];
}

const validateLength = (text: string, field: string, maximum: number): FieldError[] =>
  Buffer.byteLength(text) > maximum ? [tooLong(field, maximum)] : [];

/** An address with its prefix in canonical form; empty if it is invalid. */
function canonicalAddress(text: string): string {
  const range = parseCidr(text);
  return range === undefined ? '' : `${formatAddress(range.address)}/${range.prefix}`;
}

function validateAllocation(
  { devices = {}, nodeSelector }: AllocationResult,
  field: string,
  requests: RequestNames,
  context: RuleContext,
): FieldError[] {
  const config = devices.config ?? [];
  const configField = `${field}.devices.config`;
  return [
    ...validateBoundedList(devices.results, `${field}.devices.results`, (result, path) =>
      validateResult(result, path, requests, context),
    ),
    ...checkEach(config, { place: configField, cost: 2 }, (one, index) =>
      validateConfiguration(one, `${configField}[${index}]`, requests, context),
    ),
    ...(config.length > MAXIMUM_CONFIGURATIONS
      ? [tooMany(configField, config.length, MAXIMUM_CONFIGURATIONS)]
      : []),
    ...(nodeSelector === undefined
      ? []
      : validateNodeSelector(
          nodeSelector as Parameters<typeof validateNodeSelector>[0],
          `${field}.nodeSelector`,
        )),
  ];
}

const validateResult = (
  result: DeviceRequestAllocationResult,
  field: string,
  requests: RequestNames,
  context: RuleContext,
): FieldError[] => [
  ...validateRequestReference(result.request ?? '', `${field}.request`, requests),
  ...validateDeviceName(result, field, context),
  ...validateBindingConditions(result, field),
  ...(result.shareID === undefined ? [] : validateShare(result.shareID, `${field}.shareID`)),
  ...validateSkippedOperations(result.skipNodeOperations ?? [], `${field}.skipNodeOperations`),
];

const validateConfiguration = (
  { source = '', requests: references, opaque }: DeviceAllocationConfiguration,
  field: string,
  requests: RequestNames,
  context: RuleContext,
): FieldError[] => [
  ...(source === '' ? [required(`${field}.source`)] : validateOneOf(source, SOURCES, `${field}.source`)),
  ...validateReferences(references, `${field}.requests`, requests),
  ...validateOpaque(opaque, `${field}.opaque`, context),
];
