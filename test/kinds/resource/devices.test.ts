import { beforeAll, describe, expect, it } from 'vitest';
import { COMPILING_SELECTORS } from '../../../src/kinds/resource/device-expressions.ts';
import { RawJson } from '../../../src/model/object.ts';
import { deviceStrategies } from '../../support/builtin-resources.ts';
import { contextOf, created, errorsOf, updated } from '../run-strategy.ts';

const strategies = deviceStrategies(COMPILING_SELECTORS);
const fields = (errors: readonly string[]): string[] =>
  errors.map((text) => text.slice(0, text.indexOf(': ')));

beforeAll(async () => COMPILING_SELECTORS.load?.());

describe('device selectors', () => {
  const errors = (expression: string) =>
    errorsOf(strategies.deviceclasses!, { spec: { selectors: [{ cel: { expression } }] } });

  it.each([
    "device.driver == 'd.example.test'",
    "device.attributes['example.test'].model == 'a'",
    "device.attributes['example.test'].isLarge",
    "device.capacity['example.test'].memory.compareTo(quantity('1Gi')) >= 0",
    "device.attributes['example.test'].version.isGreaterThan(semver('1.0.0'))",
  ])('accepts %s', (expression) => expect(errors(expression)).toEqual([]));

  it.each([
    ['', 'compilation failed'],
    ['nosuch.x', "undeclared reference to 'nosuch'"],
    ['device.driver', 'must evaluate to bool or the unknown type, not string'],
    [`device.driver == '${'x'.repeat(10_240)}'`, 'Too long'],
  ])('rejects %.20s', (expression, text) => expect(errors(expression)[0]).toContain(text));
});

describe('resource slices', () => {
  const spec = { driver: 'd.example.test', pool: { name: 'p', resourceSliceCount: 1 }, nodeName: 'n' };
  const device = (basic: object) => ({ spec: { ...spec, devices: [{ name: 'a', basic }] } });
  const at = 'spec.devices[0].basic';

  it.each([
    [{ attributes: { '': { int: 1 } } }, [`${at}.attributes[]`]],
    [{ attributes: { '..': { int: 1 } } }, [`${at}.attributes[..]`]],
    [{ attributes: { 'example.test/a': { int: 1 } } }, []],
    [{ attributes: { a: { int: 1, version: 'x' } } }, [`${at}.attributes[a].version`, `${at}.attributes[a]`]],
    [{ capacity: { ['a'.repeat(33)]: { value: '1' } } }, [`${at}.capacity[${'a'.repeat(33)}]`]],
  ])('validates a device with %j', (basic, expected) =>
    expect(fields(errorsOf(strategies.resourceslices!, device(basic)))).toEqual(expected),
  );

  it('leaves out the middle of a long key in paths', () => {
    const devices = [{ name: 'd', basic: { capacity: { ['k'.repeat(97)]: { value: '1' } } } }];
    expect(fields(errorsOf(strategies.resourceslices!, { spec: { ...spec, devices } }))).toEqual([
      `spec.devices[0].basic.capacity[${'k'.repeat(47)}...${'k'.repeat(46)}]`,
    ]);
  });

  it('validates the node selector and the pool name', () => {
    const errors = (more: object) =>
      fields(errorsOf(strategies.resourceslices!, { spec: { ...spec, ...more } }));
    expect(errors({ nodeSelector: {} }).sort()).toEqual([
      'spec',
      'spec.nodeSelector.nodeSelectorTerms',
      'spec.nodeSelector.nodeSelectorTerms',
    ]);
    expect(errors({ pool: { name: 'A'.repeat(254), resourceSliceCount: 1 } })).toEqual([
      'spec.pool.name',
      'spec.pool.name',
      'spec.pool.name',
    ]);
  });
});

describe('resource slices that are wrong in several places', () => {
  const strategy = strategies.resourceslices!;
  const spec = { driver: 'd.example.test', pool: { name: 'p', resourceSliceCount: 1 }, nodeName: 'n' };
  const place = 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required';

  it.each([
    [{ allNodes: true }, [`spec: Invalid value: "null": ${place}`]],
    [
      { nodeName: '', nodeSelector: { nodeSelectorTerms: [] } },
      [
        'spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
        'spec.nodeSelector.nodeSelectorTerms: Invalid value: []core.NodeSelectorTerm{}: must have exactly one node selector term',
      ],
    ],
    [
      { devices: [{ name: 'a' }, { name: 'a' }] },
      [
        'spec.devices[0].basic: Required value',
        'spec.devices[1].basic: Required value',
        'spec.devices[1].name: Duplicate value: "a"',
      ],
    ],
    [
      { devices: [{ name: 'a', basic: { attributes: { x: { version: `1.0.0-0${'1'.repeat(60)}` } } } }] },
      [
        expect.stringContaining('must be a string compatible with semver.org spec 2.0.0'),
        'spec.devices[0].basic.attributes[x].version: Too long: may not be more than 64 bytes',
      ],
    ],
    [
      { devices: [{ name: 'a', basic: { attributes: { x: { int: 1, string: 's' } } } }] },
      [
        'spec.devices[0].basic.attributes[x]: Invalid value: resource.DeviceAttribute{IntValue:(*int64)(0xc000000000), BoolValue:(*bool)(nil), StringValue:(*string)(0xc000000000), VersionValue:(*string)(nil)}: exactly one value must be specified',
      ],
    ],
  ])('report %j in order', (change, expected) =>
    expect(errorsOf(strategy, { spec: { ...spec, ...change } })).toEqual(expected),
  );

  it('report changes of fixed fields before what the value of others lacks', () => {
    const { object: old } = created(strategy, { spec });
    const changed = { driver: 'e', pool: { name: 'q', resourceSliceCount: 0 } };
    expect(fields(updated(strategy, { spec: changed }, old).errors)).toEqual([
      'spec.pool.resourceSliceCount',
      'spec.pool.name',
      'spec.driver',
      'spec.nodeName',
      'spec',
    ]);
  });
});

describe('claim templates', () => {
  const strategy = strategies.resourceclaimtemplates!;
  const template = (metadata: object, request: object = {}) => ({
    spec: {
      metadata,
      spec: {
        devices: {
          requests: [{ name: 'r', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1, ...request }],
        },
      },
    },
  });

  it('accepts labels and annotations only', () => {
    expect(errorsOf(strategy, template({ labels: { a: 'b' }, annotations: { c: 'd' } }))).toEqual([]);
    expect(fields(errorsOf(strategy, template({ uid: 'u', finalizers: ['x'] })))).toEqual([
      'spec.metadata.uID',
      'spec.metadata.finalizers',
    ]);
  });

  it('rejects changes, and validates the changed spec', () => {
    const { object: old } = created(strategy, template({}));
    expect(updated(strategy, template({}), old).errors).toEqual([]);
    expect(fields(updated(strategy, template({}, { name: '' }), old).errors)).toEqual([
      'spec.spec.devices.requests[0].name',
      'spec',
    ]);
  });

  it('drops admin access while the feature gate is off', () => {
    const requestOf = (isOn: boolean) =>
      (
        created(strategy, template({}, { adminAccess: true }), contextOf({ isOn: () => isOn })).object as {
          spec: { spec: { devices: { requests: object[] } } };
        }
      ).spec.spec.devices.requests[0];
    expect(requestOf(false)).not.toHaveProperty('adminAccess');
    expect(requestOf(true)).toHaveProperty('adminAccess', true);
  });
});

describe('the status of claims', () => {
  const strategy = strategies.resourceclaims!;
  const device = { driver: 'd.example.test', pool: 'p', device: 'a' };
  const consumer = { resource: 'pods', name: 'p', uid: 'u' };
  const spec = { devices: { requests: [{ name: 'r', deviceClassName: 'c' }] } };
  const config = (more: object) => ({
    source: 'FromClaim',
    requests: ['r'],
    opaque: { driver: 'd.example.test', parameters: RawJson.of({}) },
    ...more,
  });
  const allocation = {
    devices: { results: [{ request: 'r', ...device }], config: [config({})] },
    nodeSelector: { nodeSelectorTerms: [{}] },
  };
  const context = contextOf({ version: 'v1beta1', subresource: 'status', isOn: () => true });
  const update = (status: object, old: object = {}, metadata: object = {}) =>
    updated(strategy, { metadata, spec, status }, { spec, status: old }, context);
  const errors = (...parameters: Parameters<typeof update>): string[] => fields(update(...parameters).errors);

  it('accepts an allocation with consumers and devices', () => {
    const conditions = [
      { type: 'A', status: 'True', reason: 'R', lastTransitionTime: '2024-01-01T00:00:00Z' },
    ];
    const networkData = { interfaceName: 'e', ips: ['10.0.0.1/8', '::1/64'] };
    const devices = [{ ...device, conditions, data: RawJson.of({}), networkData }];
    expect(errors({ allocation, reservedFor: [consumer], devices })).toEqual([]);
    expect(errors({ allocation, reservedFor: [consumer] }, { allocation })).toEqual([]);
  });

  it('rejects invalid allocations', () => {
    const results = [{ request: 'x', driver: '', pool: 'P', device: '' }];
    const opaque = { driver: 'd.example.test', parameters: RawJson.of(5) };
    const invalid = {
      results,
      config: [config({ source: 'X', requests: ['r', 'r'], opaque }), config({ source: '' })],
    };
    const at = 'status.allocation.devices';
    expect(errors({ allocation: { devices: invalid, nodeSelector: {} } })).toEqual([
      `${at}.results[0].request`,
      `${at}.results[0].driver`,
      `${at}.results[0].driver`,
      `${at}.results[0].pool`,
      `${at}.results[0].device`,
      `${at}.config[0].source`,
      `${at}.config[0].requests[1]`,
      `${at}.config[0].opaque.parameters`,
      `${at}.config[1].source`,
      'status.allocation.nodeSelector.nodeSelectorTerms',
    ]);
    expect(errors({ allocation: { devices: {} } }, { allocation })).toEqual(['status.allocation']);
  });

  it('rejects invalid devices and consumers', () => {
    const networkData = {
      interfaceName: 'x'.repeat(257),
      hardwareAddress: 'x'.repeat(129),
      ips: ['::1/64', '0::1/64', 'x'],
    };
    const devices = [device, { ...device, data: RawJson.of([]), networkData }, { ...device, device: 'b' }];
    expect(errors({ allocation, devices })).toEqual([
      'status.devices[1].data',
      'status.devices[1].networkData.interfaceName',
      'status.devices[1].networkData.hardwareAddress',
      'status.devices[1].networkData.ips[2]',
      'status.devices[1].networkData.ips[1]',
      'status.devices[2]',
      'status.devices[1].deviceID',
    ]);
    const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(errors({ allocation, reservedFor: [consumer] }, { allocation }, deleted)).toEqual([
      'status.reservedFor',
    ]);
    expect(errors({ reservedFor: [{}, {}] })).toHaveLength(8);
  });

  it('drops the status of deallocated devices', () => {
    const other = { ...device, device: 'b' };
    const before = {
      devices: [device, other],
      allocation: {
        devices: {
          results: [
            { request: 'r', ...device },
            { request: 'r', ...other },
          ],
        },
      },
    };
    const { object } = update({ ...before, allocation: { devices: { results: [other] } } }, before);
    expect(object).toMatchObject({ status: { devices: [other] } });
    expect(update({ devices: [device] }, before).object['status']).toEqual({});
  });
});
