import type { NodeSelector } from '../../model/generated/core-v1.ts';
import type { BasicDevice as OldBasicDevice } from '../../model/generated/resource-v1alpha3.ts';
import type {
  BasicDevice,
  DeviceAttribute,
  ResourcePool,
  ResourceSlice,
} from '../../model/generated/resource-v1beta1.ts';
import { dns1123Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { KubernetesObject } from '../../model/object.ts';
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
import { defineResource } from '../builtin-resource.ts';
import { validateNodeSelector } from '../core/pods/affinity-validation.ts';
import { textAt } from '../field-reader.ts';
import type { Conversion, Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { checkMembers } from '../validation/check-members.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { invalidTexts, validateImmutable } from '../validation/fields.ts';
import { formatGo } from '../validation/go-value.ts';
import { DEVICE_VERSIONS } from './device-versions.ts';
import { validatePoolName, validateQualifiedName } from './qualified-names.ts';

const MAXIMUM_DEVICES = 128;
const MAXIMUM_ATTRIBUTES = 32;
const MAXIMUM_VALUE_LENGTH = 64;

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
function validateSpec(spec: Spec, old: Spec | undefined): FieldError[] {
  const { driver = '', pool = {}, nodeName = '' } = spec;
  return [
    ...validateDriverName(driver, 'spec.driver'),
    ...validatePool(pool, 'spec.pool'),
    ...(old === undefined
      ? []
      : [
          ...validateImmutable(pool.name ?? '', old.pool?.name ?? '', 'spec.pool.name'),
          ...validateImmutable(driver, old.driver ?? '', 'spec.driver'),
          ...validateImmutable(nodeName, old.nodeName ?? '', 'spec.nodeName'),
        ]),
    ...validatePlace(spec),
    ...validateDevices(spec.devices ?? []),
  ];
}

/** Validates which nodes can use the devices. */
function validatePlace({ nodeName = '', nodeSelector, allNodes = false }: Spec): FieldError[] {
  const places = [nodeName !== '', nodeSelector !== undefined, allNodes].filter(Boolean).length;
  const text = 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required';
  return [
    ...(nodeName === '' ? [] : invalidTexts('spec.nodeName', nodeName, dns1123Subdomain(nodeName))),
    ...(nodeSelector === undefined ? [] : validateSelector(nodeSelector, 'spec.nodeSelector')),
    ...(places === 0 ? [required('spec', text)] : []),
    ...(places > 1 ? [invalidFormatted('spec', '"null"', text)] : []),
  ];
}

function validateDevices(devices: NonNullable<Spec['devices']>): FieldError[] {
  const repeated = findDuplicates(devices, ({ name = '' }) => name);
  return [
    ...(devices.length > MAXIMUM_DEVICES ? [tooMany('spec.devices', devices.length, MAXIMUM_DEVICES)] : []),
    ...checkEach(devices, { place: 'devices', cost: 2 }, ({ name = '', basic }, index) => [
      ...invalidTexts(`spec.devices[${index}].name`, name, dns1123Label(name)),
      ...(basic === undefined
        ? [required(`spec.devices[${index}].basic`)]
        : validateDevice(basic, `spec.devices[${index}].basic`)),
    ]),
    ...checkEach(devices, { place: 'duplicates' }, ({ name = '' }, index) =>
      repeated.has(index) ? [duplicate(`spec.devices[${index}].name`, name)] : [],
    ),
  ];
}

/** Longest qualified name of an attribute: domain, slash and identifier. */
const MAXIMUM_SHOWN_KEY = 63 + 1 + 32;

/** A key as paths of errors show it; the middle of a long one is left out. */
function shownKey(key: string): string {
  if (key.length <= MAXIMUM_SHOWN_KEY) return key;
  const kept = MAXIMUM_SHOWN_KEY - 3;
  return `${key.slice(0, Math.ceil(kept / 2))}...${key.slice(-Math.floor(kept / 2))}`;
}

/** Validates a node selector: it has one term, so that selectors of several slices can be combined. */
function validateSelector(selector: NodeSelector, field: string): FieldError[] {
  const { nodeSelectorTerms = [] } = selector;
  return [
    ...validateNodeSelector(selector as Parameters<typeof validateNodeSelector>[0], field, {
      checksValues: true,
    }),
    ...(nodeSelectorTerms.length === 1
      ? []
      : [
          invalidFormatted(
            `${field}.nodeSelectorTerms`,
            formatGo('[]core.NodeSelectorTerm', selector.nodeSelectorTerms),
            'must have exactly one node selector term',
          ),
        ]),
  ];
}

function validatePool(pool: ResourcePool, field: string): FieldError[] {
  const { name = '', generation = 0, resourceSliceCount = 0 } = pool;
  return [
    ...validatePoolName(pool, name, `${field}.name`),
    ...(resourceSliceCount <= 0
      ? [invalid(`${field}.resourceSliceCount`, resourceSliceCount, 'must be greater than zero')]
      : []),
    ...(generation < 0
      ? [invalid(`${field}.generation`, generation, 'must be greater than or equal to zero')]
      : []),
  ];
}

function validateDevice({ attributes = {}, capacity = {} }: BasicDevice, field: string): FieldError[] {
  const total = Object.keys(attributes).length + Object.keys(capacity).length;
  return [
    ...checkMembers(attributes, field, (name, attribute) => [
      ...validateQualifiedName(name, `${field}.attributes[${shownKey(name)}]`),
      ...validateAttribute(attribute, `${field}.attributes[${shownKey(name)}]`),
    ]),
    ...checkMembers(capacity, field, (name) =>
      validateQualifiedName(name, `${field}.capacity[${shownKey(name)}]`),
    ),
    ...(total > MAXIMUM_ATTRIBUTES
      ? [
          invalid(
            field,
            total,
            `the total number of attributes and capacities must not exceed ${MAXIMUM_ATTRIBUTES}`,
          ),
        ]
      : []),
  ];
}

/** A part of a pre-release: no number has a leading zero. */
const PART = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const NUMBER = '(?:0|[1-9]\\d*)';
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PART}(?:\\.${PART})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

const isTooLong = (text: string | undefined): boolean =>
  text !== undefined && Buffer.byteLength(text) > MAXIMUM_VALUE_LENGTH;

/** Validates an attribute: exactly one type of value is set. */
function validateAttribute(attribute: DeviceAttribute, field: string): FieldError[] {
  const { int, bool, string, version } = attribute;
  const valueCount = [int, bool, string, version].filter((value) => value !== undefined).length;
  const text = 'exactly one value must be specified';
  return [
    ...(isTooLong(string) ? [tooLong(`${field}.string`, MAXIMUM_VALUE_LENGTH)] : []),
    ...(version !== undefined && !VERSION.test(version)
      ? [invalid(`${field}.version`, version, 'must be a string compatible with semver.org spec 2.0.0')]
      : []),
    ...(isTooLong(version) ? [tooLong(`${field}.version`, MAXIMUM_VALUE_LENGTH)] : []),
    ...(valueCount === 0 ? [required(field, text)] : []),
    ...(valueCount > 1
      ? [invalidFormatted(field, formatGo('resource.DeviceAttribute', attribute), text)]
      : []),
  ];
}

const specOf = (object: KubernetesObject): Spec => (object as ResourceSlice).spec ?? {};

export const resourceSliceStrategy: Strategy = {
  deletion: { returnsObject: true },
  conversions: { v1alpha3: alphaConversion },
  validate: (object) => validateSpec(specOf(object), undefined),
  validateUpdate: (object, old) => validateSpec(specOf(object), specOf(old)),
  managesGeneration: true,
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
  descriptions: {
    ResourceSlice: 'Devices of a resource pool, published by a driver.',
  },
});
