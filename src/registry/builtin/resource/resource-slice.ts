import type { NodeSelector } from '../../../model/generated/core-v1.ts';
import type { BasicDevice as OldBasicDevice } from '../../../model/generated/resource-v1alpha3.ts';
import type {
  BasicDevice,
  DeviceAttribute,
  ResourcePool,
  ResourceSlice,
} from '../../../model/generated/resource-v1beta1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  required,
  tooLong,
  tooMany,
} from '../../../status/field-error.ts';
import { defineResource } from '../../builtin-resource.ts';
import type { Conversion, Strategy } from '../../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../../tables/define.ts';
import { validateDriverName } from '../../validation/drivers.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { invalidTexts, validateImmutable } from '../../validation/fields.ts';
import { dns1123Label, dns1123Subdomain } from '../../validation/names.ts';
import { validateNodeSelector } from '../core/pods/affinity-validation.ts';
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

function validate({ spec = {} }: ResourceSlice): FieldError[] {
  const { driver = '', pool = {}, nodeName = '', nodeSelector, allNodes = false, devices = [] } = spec;
  const repeated = findDuplicates(devices, ({ name = '' }) => name);
  const places = [nodeName !== '', nodeSelector !== undefined, allNodes].filter(Boolean).length;
  const place = 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required';
  return [
    ...validateDriverName(driver, 'spec.driver'),
    ...validatePool(pool, 'spec.pool'),
    ...(places === 0
      ? [required('spec', place)]
      : places > 1
        ? [invalid('spec', '<value omitted>', place)]
        : []),
    ...(nodeName === '' ? [] : invalidTexts('spec.nodeName', nodeName, dns1123Subdomain(nodeName))),
    ...(nodeSelector === undefined ? [] : validateSelector(nodeSelector, 'spec.nodeSelector')),
    ...(devices.length > MAXIMUM_DEVICES ? [tooMany('spec.devices', devices.length, MAXIMUM_DEVICES)] : []),
    ...devices.flatMap(({ name = '', basic }, index) => {
      const field = `spec.devices[${index}]`;
      return [
        ...invalidTexts(`${field}.name`, name, dns1123Label(name)),
        ...(repeated.has(index) ? [duplicate(`${field}.name`, name)] : []),
        ...(basic === undefined ? [required(`${field}.basic`)] : validateDevice(basic, `${field}.basic`)),
      ];
    }),
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
          invalid(
            `${field}.nodeSelectorTerms`,
            nodeSelectorTerms,
            'must have exactly one node selector term',
          ),
        ]),
  ];
}

function validatePool(
  { name = '', generation = 0, resourceSliceCount = 0 }: ResourcePool,
  field: string,
): FieldError[] {
  return [
    ...validatePoolName(name, `${field}.name`),
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
    ...Object.entries(attributes).flatMap(([name, attribute]) => [
      ...validateQualifiedName(name, `${field}.attributes[${shownKey(name)}]`),
      ...validateAttribute(attribute, `${field}.attributes[${shownKey(name)}]`),
    ]),
    ...Object.keys(capacity).flatMap((name) =>
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

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** Validates an attribute: exactly one type of value is set. */
function validateAttribute({ int, bool, string, version }: DeviceAttribute, field: string): FieldError[] {
  const valueCount = [int, bool, string, version].filter((value) => value !== undefined).length;
  return [
    ...(valueCount === 0 ? [required(field, 'exactly one value must be specified')] : []),
    ...(valueCount > 1
      ? [invalid(field, { int, bool, string, version }, 'exactly one value must be specified')]
      : []),
    ...(string !== undefined && string.length > MAXIMUM_VALUE_LENGTH
      ? [tooLong(`${field}.string`, MAXIMUM_VALUE_LENGTH)]
      : []),
    ...(version !== undefined && version.length > MAXIMUM_VALUE_LENGTH
      ? [tooLong(`${field}.version`, MAXIMUM_VALUE_LENGTH)]
      : []),
    ...(version !== undefined && !VERSION.test(version)
      ? [invalid(`${field}.version`, version, 'must be a string compatible with semver.org spec 2.0.0')]
      : []),
  ];
}

const specOf = (object: KubernetesObject): NonNullable<ResourceSlice['spec']> =>
  (object as ResourceSlice).spec ?? {};

export const resourceSliceStrategy: Strategy = {
  returnsDeletedObject: true,
  conversions: { v1alpha3: alphaConversion },
  validate,
  validateUpdate: (object: ResourceSlice, old: ResourceSlice) => [
    ...validate(object),
    ...validateImmutable(object.spec?.driver ?? '', old.spec?.driver ?? '', 'spec.driver'),
    ...validateImmutable(object.spec?.pool?.name ?? '', old.spec?.pool?.name ?? '', 'spec.pool.name'),
    ...validateImmutable(object.spec?.nodeName ?? '', old.spec?.nodeName ?? '', 'spec.nodeName'),
  ],
  managesGeneration: true,
};

export const resourceSlices = defineResource({
  group: 'resource.k8s.io',
  versions: ['v1beta1', 'v1alpha3'],
  resource: 'resourceslices',
  kind: 'ResourceSlice',
  scope: 'Cluster',
  strategy: resourceSliceStrategy,
  fieldSelectors: {
    'spec.nodeName': (object) => specOf(object).nodeName ?? '',
    'spec.driver': (object) => specOf(object).driver ?? '',
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
