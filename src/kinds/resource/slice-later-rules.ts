import type {
  Counter,
  CounterSet,
  Device,
  DeviceCounterConsumption,
  ResourceSliceSpec,
} from '../../model/generated/resource-v1.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidFormatted,
  required,
  tooMany,
} from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { validateNodeSelector } from '../core/pods/affinity-validation.ts';
import { checkMembers } from '../validation/check-members.ts';
import { findDuplicateStrings } from '../validation/duplicates.ts';
import { invalidTexts } from '../validation/fields.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { validateBindingConditions, validateSkippedOperations } from './binding-conditions.ts';
import { validateAttributes } from './device-attributes.ts';
import { NAMES_ITEM, validateUniqueNames } from './device-requests.ts';
import { validateDeviceTaint } from './device-taints.ts';
import { validateDriverAndPool, validateSliceSelector } from './slice-parts.ts';

const MAXIMUM_DEVICES = 128;
/** With taints, counters or lists of values. */
const MAXIMUM_RICH_DEVICES = 64;
const MAXIMUM_COUNTERS = 32;
const MAXIMUM_DEVICE_COUNTERS = 1024;
const MAXIMUM_COUNTER_SETS = 8;
const MAXIMUM_CONSUMPTIONS = 2;

/** The releases that have shared counters in slices of their own. */
const SEPARATES_COUNTERS: Life = { since: '1.35' };
/** The releases in which the form of a request can show in the path of an error. */
const SHOWS_FLAT_FORM: Life = { since: '1.36' };

const SLICE_PLACES = '`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`';
const DEVICE_PLACES =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
const UNSET_OR_TRUE = 'must be either unset or set to true';

/** Validates the specification of a slice in the later form. @param old undefined for a new slice */
export function validateLaterSpec(
  spec: ResourceSliceSpec,
  old: ResourceSliceSpec | undefined,
  context: RuleContext,
): FieldError[] {
  return [
    ...validateDriverAndPool(spec, old, context),
    ...validatePlace(spec),
    ...validateDevices(spec, old?.devices ?? [], context),
    ...validateCounterSets(spec, context),
    ...validateSkippedOperations(spec.skipNodeOperations ?? [], 'spec.skipNodeOperations'),
  ];
}

/** Validates which nodes can use the devices. */
function validatePlace({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: ResourceSliceSpec) {
  const set = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
    ...(perDeviceNodeSelection === true ? ['`perDeviceNodeSelection`'] : []),
  ];
  const text = `exactly one of ${SLICE_PLACES} is required`;
  return [
    ...validateNodeName(nodeName, 'spec.nodeName', 'must be either unset or set to a non-empty string'),
    ...(nodeSelector === undefined ? [] : validateSliceSelector(nodeSelector, 'spec.nodeSelector')),
    ...(allNodes === false ? [invalid('spec.allNodes', false, UNSET_OR_TRUE)] : []),
    ...(perDeviceNodeSelection === false
      ? [invalid('spec.perDeviceNodeSelection', false, UNSET_OR_TRUE)]
      : []),
    ...(set.length === 0 ? [required('spec', text)] : []),
    ...(set.length > 1
      ? [invalid('spec', `{${set.join(', ')}}`, `${text}, but multiple fields are set`)]
      : []),
  ];
}

const validateNodeName = (name: string | undefined, field: string, emptyText: string): FieldError[] => {
  if (name === undefined) return [];
  return name === '' ? [invalid(field, name, emptyText)] : invalidTexts(field, name, dns1123Subdomain(name));
};

const countersOf = ({ consumesCounters = [] }: Device): number =>
  consumesCounters.reduce((sum, { counters = {} }) => sum + Object.keys(counters).length, 0);

const isRich = ({ taints = [], consumesCounters = [], attributes = {} }: Device): boolean =>
  taints.length > 0 ||
  consumesCounters.length > 0 ||
  Object.values(attributes).some(
    ({ ints, bools, strings, versions }) => (ints ?? bools ?? strings ?? versions) !== undefined,
  );

function validateDevices(
  spec: ResourceSliceSpec,
  before: readonly Device[],
  context: RuleContext,
): FieldError[] {
  const { devices = [], sharedCounters } = spec;
  const field = 'spec.devices';
  const isSeparate = context.has(SEPARATES_COUNTERS);
  const maximum = isSeparate && devices.some(isRich) ? MAXIMUM_RICH_DEVICES : MAXIMUM_DEVICES;
  const counters = devices.reduce((sum, device) => sum + countersOf(device), 0);
  const known = new Map(before.map((device) => [device.name, device]));
  return [
    ...(isSeparate && sharedCounters !== undefined && spec.devices !== undefined
      ? [invalid('spec', '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...(devices.length > maximum ? [tooMany(field, devices.length, maximum)] : []),
    ...checkEach(devices, { place: 'devices', cost: 2 }, (device, index) =>
      validateDevice(device, known.get(device.name), `${field}[${index}]`, spec, context),
    ),
    ...validateUniqueNames(devices, field, context),
    ...(!isSeparate && counters > MAXIMUM_DEVICE_COUNTERS
      ? [
          invalid(
            field,
            counters,
            `the total number of counters in devices must not exceed ${MAXIMUM_DEVICE_COUNTERS}`,
          ),
        ]
      : []),
  ];
}

function validateDevice(
  device: Device,
  old: Device | undefined,
  field: string,
  spec: ResourceSliceSpec,
  context: RuleContext,
): FieldError[] {
  const { name = '', taints = [] } = device;
  const maximumTaints = context.has(SEPARATES_COUNTERS) ? 16 : 4;
  return [
    ...invalidTexts(`${field}.name`, name, dns1123Label(name)),
    ...validateAttributes(device, field, context.has(SHOWS_FLAT_FORM) ? `${field}.basic` : field, context),
    ...(old !== undefined && semanticEqual(old.taints ?? [], taints)
      ? []
      : checkEach(taints, { place: `${field}.taints`, cost: 2 }, (taint, index) =>
          validateDeviceTaint(taint, `${field}.taints[${index}]`, context),
        )),
    ...(taints.length > maximumTaints ? [tooMany(`${field}.taints`, taints.length, maximumTaints)] : []),
    ...validateConsumptions(device, field, spec, context),
    ...validateDevicePlace(device, field, spec.perDeviceNodeSelection === true),
    ...validateBindingConditions(device, field),
  ];
}

function validateDevicePlace(
  { nodeName, nodeSelector, allNodes }: Device,
  field: string,
  isAllowed: boolean,
): FieldError[] {
  if (!isAllowed)
    return nodeName === undefined && nodeSelector === undefined && allNodes === undefined
      ? []
      : [
          invalidFormatted(
            field,
            'null',
            '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
          ),
        ];
  const set = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
  ];
  return [
    ...validateNodeName(nodeName, `${field}.nodeName`, 'must not be empty'),
    ...(nodeSelector === undefined
      ? []
      : validateNodeSelector(
          nodeSelector as Parameters<typeof validateNodeSelector>[0],
          `${field}.nodeSelector`,
        )),
    ...(allNodes === false ? [invalid(`${field}.allNodes`, false, UNSET_OR_TRUE)] : []),
    ...(set.length === 0 ? [required(field, DEVICE_PLACES)] : []),
    ...(set.length > 1 ? [invalid(field, `{${set.join(', ')}}`, DEVICE_PLACES)] : []),
  ];
}

/** Validates what a device takes from shared counters. */
function validateConsumptions(
  device: Device,
  field: string,
  { sharedCounters = [] }: ResourceSliceSpec,
  context: RuleContext,
): FieldError[] {
  const { consumesCounters = [] } = device;
  const list = `${field}.consumesCounters`;
  const isSeparate = context.has(SEPARATES_COUNTERS);
  const repeated = findDuplicateStrings(consumesCounters.map(({ counterSet = '' }) => counterSet));
  const known = new Map(sharedCounters.map(({ name = '', counters = {} }) => [name, counters]));
  const total = countersOf(device);
  return [
    ...consumesCounters.flatMap((consumption, index) => {
      const at = `${list}[${index}]`;
      const { counterSet = '', counters = {} } = consumption;
      return [
        ...(counterSet === '' ? [required(`${at}.counterSet`)] : []),
        ...validateCounters(counters, `${at}.counters`),
        ...(repeated.has(index)
          ? [duplicate(context.has(NAMES_ITEM) ? at : `${at}.counterSet`, counterSet)]
          : []),
        ...(isSeparate ? [] : validateKnownCounters(consumption, known.get(counterSet), at)),
      ];
    }),
    ...(!isSeparate && total > MAXIMUM_COUNTERS
      ? [invalid(field, total, `the total number of counters must not exceed ${MAXIMUM_COUNTERS}`)]
      : []),
    ...(isSeparate && consumesCounters.length > MAXIMUM_CONSUMPTIONS
      ? [tooMany(list, consumesCounters.length, MAXIMUM_CONSUMPTIONS)]
      : []),
  ];
}

function validateKnownCounters(
  { counterSet = '', counters = {} }: DeviceCounterConsumption,
  known: Readonly<Record<string, Counter>> | undefined,
  field: string,
): FieldError[] {
  const text = (what: string) => `must reference a ${what} defined in the ResourceSlice sharedCounters`;
  if (known === undefined) return [invalid(`${field}.counterSet`, counterSet, text('counterSet'))];
  return Object.keys(counters).flatMap((name) =>
    Object.hasOwn(known, name) ? [] : [invalid(`${field}.counters`, name, text('counter'))],
  );
}

function validateCounters(counters: Readonly<Record<string, Counter>>, field: string): FieldError[] {
  if (Object.keys(counters).length === 0) return [required(field)];
  return checkMembers(counters, field, (name) => invalidTexts(`${field}[${name}]`, name, dns1123Label(name)));
}

function validateCounterSets({ sharedCounters = [] }: ResourceSliceSpec, context: RuleContext): FieldError[] {
  const field = 'spec.sharedCounters';
  const isSeparate = context.has(SEPARATES_COUNTERS);
  const total = sharedCounters.reduce((sum, { counters = {} }) => sum + Object.keys(counters).length, 0);
  return [
    ...(!isSeparate && total > MAXIMUM_COUNTERS
      ? [invalid(field, total, `the total number of shared counters must not exceed ${MAXIMUM_COUNTERS}`)]
      : []),
    ...(isSeparate && sharedCounters.length > MAXIMUM_COUNTER_SETS
      ? [tooMany(field, sharedCounters.length, MAXIMUM_COUNTER_SETS)]
      : []),
    ...checkEach(
      sharedCounters,
      { place: field, cost: 2 },
      ({ name = '', counters = {} }: CounterSet, index) => [
        ...(name === ''
          ? [required(`${field}[${index}].name`)]
          : invalidTexts(`${field}[${index}].name`, name, dns1123Label(name))),
        ...validateCounters(counters, `${field}[${index}].counters`),
      ],
    ),
    ...validateUniqueNames(sharedCounters, field, context),
  ];
}
