import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTexts } from '../../src/model/resource-list.ts';
import { usageOf } from '../../src/quota/usage.ts';

const claim = (storage: string, allocated?: string, storageClassName?: string) =>
  toTexts(
    usageOf(
      '',
      'persistentvolumeclaims',
      {
        spec: { resources: { requests: { storage } }, storageClassName },
        ...(allocated === undefined ? {} : { status: { allocatedResources: { storage: allocated } } }),
      },
      { now: 0, countsStatus: false },
    ),
  );

describe('a pod', () => {
  const resources = (cpu: string, limit: string) => ({ requests: { cpu }, limits: { cpu: limit } });
  const usage = (status: object, countsStatus = true) => {
    const spec = {
      containers: [
        { name: 'a', resources: resources('1', '4') },
        { name: 'b', resources: resources('2', '2') },
      ],
      initContainers: [{ name: 's', restartPolicy: 'Always', resources: resources('1', '1') }],
    };
    const amounts = usageOf('', 'pods', { spec, status }, { now: 0, countsStatus });
    const { 'requests.cpu': requests, 'limits.cpu': limits } = toTexts(amounts);
    return [requests, limits];
  };
  const containerStatuses = [
    { name: 'a', resources: resources('3', '3') },
    { name: 'b' },
    { name: 's', resources: resources('9', '9') },
    { name: 'gone', resources: resources('9', '9') },
  ];

  it('uses the larger of the desired and the reported resources of a container', () => {
    expect(usage({})).toEqual(['4', '7']);
    expect(usage({ containerStatuses })).toEqual(['6', '7']);
  });

  it('uses the reported resources while its resize is infeasible', () => {
    expect(usage({ containerStatuses, resize: 'Infeasible' })).toEqual(['6', '6']);
  });

  it('uses the desired resources where pods are not resized', () => {
    expect(usage({ containerStatuses, resize: 'Infeasible' }, false)).toEqual(['4', '7']);
  });
});

it.each([
  ['100m', '1'],
  ['1500m', '2'],
  ['1n', '1'],
  ['2', '2'],
  ['0.5Ki', '512'],
  ['10Gi', '10Gi'],
])('charges a claim of %s as %s', (storage, expected) => {
  expect(claim(storage)['requests.storage']).toBe(expected);
  expect(claim(storage, undefined, 'gold')['gold.storageclass.storage.k8s.io/requests.storage']).toBe(
    expected,
  );
});

it('charges the larger of requested and allocated bytes', () => {
  expect(claim('1100m', '1500m')['requests.storage']).toBe('2');
  expect(claim('1', '2500m')['requests.storage']).toBe('3');
  expect(claim('5', '2500m')['requests.storage']).toBe('5');
});

it('charges whole bytes, less than one above the request', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), (milli) => {
      const charged = Number(
        claim(`${milli}m`)['requests.storage']!.replace('k', '000').replace('M', '000000'),
      );
      return charged === Math.ceil(milli / 1000);
    }),
  ));
