import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toTexts } from '../../src/quota/resource-list.ts';
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
      0,
    ),
  );

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
