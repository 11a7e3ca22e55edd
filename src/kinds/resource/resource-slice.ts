import type { Device, ResourceSliceSpec } from '../../model/generated/resource-v1.ts';
import type { BasicDevice as OldBasicDevice } from '../../model/generated/resource-v1alpha3.ts';
import type { BasicDevice, ResourceSlice } from '../../model/generated/resource-v1beta1.ts';
import { dns1123Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { duplicate, type FieldError, invalidFormatted, required, tooMany } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import { textAt } from '../field-reader.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Conversion, Strategy, StrategyContext } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { invalidTexts } from '../validation/fields.ts';
import { validateAttributes } from './device-attributes.ts';
import { HAS_LATER_FORM, sliceConversion } from './device-forms.ts';
import { BINDING, CONSUMABLE } from './device-gates.ts';
import { DEVICE_VERSIONS } from './device-versions.ts';
import { validateLaterSpec } from './slice-later-rules.ts';
import { validateDriverAndPool, validateSliceSelector } from './slice-parts.ts';

const MAXIMUM_DEVICES = 128;

const mapValues = <From, To>(
  map: Readonly<Record<string, From>> | undefined,
  convert: (value: From) => To,
): Record<string, To> | undefined =>
  map === undefined
    ? undefined
    : Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(value)]));

/** Returns a copy with converted devices. */
function withDevices<From, To>(slice: KubernetesObject, convert: (device: From) => To): KubernetesObject {
  const spec = slice.spec as { devices?: { name?: string; basic?: From }[] } | undefined;
  if (spec?.devices === undefined) return slice;
  return {
    ...slice,
    spec: {
      ...spec,
      devices: spec.devices.map((device) =>
        device.basic === undefined ? device : { ...device, basic: convert(device.basic) },
      ),
    },
  };
}

/** In v1alpha3, capacities are quantities; in v1beta1, objects with a value. */
const alphaConversion: Conversion = {
  toStorage: (object) =>
    withDevices(
      object,
      (device: OldBasicDevice): BasicDevice => ({
        ...device,
        capacity: mapValues(device.capacity, (value) => ({ value })),
      }),
    ),
  fromStorage: (object) =>
    withDevices(
      object,
      (device: BasicDevice): OldBasicDevice => ({
        ...device,
        capacity: mapValues(device.capacity, ({ value }) => value ?? '0'),
      }),
    ),
};

type Spec = NonNullable<ResourceSlice['spec']>;

/** Validates a spec in kube-apiserver's order. @param old undefined for a new slice */
function validateSpec(spec: Spec, old: Spec | undefined, context: RuleContext): FieldError[] {
  return [
    ...validateDriverAndPool(spec, old, context),
    ...validatePlace(spec),
    ...validateDevices(spec.devices ?? [], context),
  ];
}

/** Validates which nodes can use the devices. */
function validatePlace({ nodeName = '', nodeSelector, allNodes = false }: Spec): FieldError[] {
  const places = [nodeName !== '', nodeSelector !== undefined, allNodes].filter(Boolean).length;
  const text = 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required';
  return [
    ...(nodeName === '' ? [] : invalidTexts('spec.nodeName', nodeName, dns1123Subdomain(nodeName))),
    ...(nodeSelector === undefined ? [] : validateSliceSelector(nodeSelector, 'spec.nodeSelector')),
    ...(places === 0 ? [required('spec', text)] : []),
    ...(places > 1 ? [invalidFormatted('spec', '"null"', text)] : []),
  ];
}

function validateDevices(devices: NonNullable<Spec['devices']>, context: RuleContext): FieldError[] {
  const repeated = findDuplicates(devices, ({ name = '' }) => name);
  return [
    ...(devices.length > MAXIMUM_DEVICES ? [tooMany('spec.devices', devices.length, MAXIMUM_DEVICES)] : []),
    ...checkEach(devices, { place: 'devices', cost: 2 }, ({ name = '', basic }, index) => [
      ...invalidTexts(`spec.devices[${index}].name`, name, dns1123Label(name)),
      ...(basic === undefined
        ? [required(`spec.devices[${index}].basic`)]
        : validateAttributes(basic, `spec.devices[${index}].basic`, `spec.devices[${index}].basic`, context)),
    ]),
    ...checkEach(devices, { place: 'duplicates' }, ({ name = '' }, index) =>
      repeated.has(index) ? [duplicate(`spec.devices[${index}].name`, name)] : [],
    ),
  ];
}

const specOf = (object: KubernetesObject): Spec => (object as ResourceSlice).spec ?? {};

const laterSpecOf = (object: KubernetesObject): ResourceSliceSpec =>
  (object.spec as ResourceSliceSpec | undefined) ?? {};

const devicesOf = (object: KubernetesObject): Device[] => laterSpecOf(object).devices ?? [];

const PARTITIONABLE = { gate: 'DRAPartitionableDevices', since: '1.34' } as const;

/** The gated fields of the later form. */
const GATED_FIELDS: readonly GatedField<KubernetesObject>[] = [
  { ...PARTITIONABLE, member: 'sharedCounters', parents: (slice) => [laterSpecOf(slice)] },
  { ...PARTITIONABLE, member: 'perDeviceNodeSelection', parents: (slice) => [laterSpecOf(slice)] },
  { ...PARTITIONABLE, member: 'consumesCounters', parents: devicesOf },
  { ...PARTITIONABLE, member: 'nodeName', parents: devicesOf },
  { ...PARTITIONABLE, member: 'nodeSelector', parents: devicesOf },
  { ...PARTITIONABLE, member: 'allNodes', parents: devicesOf },
  { gate: 'DRADeviceTaints', since: '1.34', member: 'taints', parents: devicesOf },
  { ...BINDING, member: 'bindsToNode', parents: devicesOf },
  { ...BINDING, member: 'bindingConditions', parents: devicesOf },
  { ...BINDING, member: 'bindingFailureConditions', parents: devicesOf },
  { ...CONSUMABLE, member: 'allowMultipleAllocations', parents: devicesOf },
  {
    ...CONSUMABLE,
    member: 'requestPolicy',
    parents: (slice) => devicesOf(slice).flatMap(({ capacity = {} }) => Object.values(capacity)),
  },
];

export const resourceSliceStrategy = (server: Pick<RuleContext, 'has'>): Strategy => {
  const isLater = server.has(HAS_LATER_FORM);
  const { later, flat } = sliceConversion;
  const check = isLater
    ? (object: KubernetesObject, old: KubernetesObject | undefined, context: StrategyContext) =>
        validateLaterSpec(laterSpecOf(object), old && laterSpecOf(old), context)
    : (object: KubernetesObject, old: KubernetesObject | undefined, context: StrategyContext) =>
        validateSpec(specOf(object), old && specOf(old), context);
  return {
    deletion: { returnsObject: true },
    conversions: isLater ? { v1beta1: later } : { v1alpha3: alphaConversion, v1beta2: flat },
    dropDisabledFields: (object, old, context) => dropGatedFields(GATED_FIELDS, object, old, context),
    validate: (object, context) => check(object, undefined, context),
    validateUpdate: check,
    managesGeneration: true,
  };
};

export const resourceSlices = defineResource({
  group: 'resource.k8s.io',
  versions: DEVICE_VERSIONS,
  resource: 'resourceslices',
  kind: 'ResourceSlice',
  scope: 'Cluster',
  strategy: resourceSliceStrategy,
  fieldSelectors: {
    'spec.nodeName': textAt('spec', 'nodeName'),
    'spec.driver': textAt('spec', 'driver'),
  },
  table: table<ResourceSlice>(
    [
      NAME,
      column('Node', 'Node with the devices.'),
      column('Driver', 'Driver of the devices.'),
      column('Pool', 'Pool the slice belongs to.'),
      AGE,
    ],
    (object) => [
      nameOf(object),
      object.spec?.nodeName ?? '',
      object.spec?.driver ?? '',
      object.spec?.pool?.name ?? '',
      ageOf(object),
    ],
  ),
});
