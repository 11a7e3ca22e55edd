import { expect, it } from 'vitest';
import { fnv1, fnv1a, safeHash } from '../../src/reconcile/hash.ts';
import { templateHash } from '../../src/reconcile/template-hash.ts';

const template = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image }] },
});

it('hashes by FNV, whose results are known', () => {
  expect(fnv1('')).toBe(0x811c9dc5);
  expect(fnv1a('')).toBe(0x811c9dc5);
  expect(fnv1('foobar')).toBe(0x31f0b262);
  expect(fnv1a('foobar')).toBe(0xbf9cf968);
});

it('writes a hash in the alphabet of names', () => expect(safeHash(1234567890)).toBe('56789bcdf4'));

it('hashes templates into the alphabet of names, whatever the order of members', () => {
  const hash = templateHash(template('v1'), 0);
  expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
  const { spec, metadata } = template('v1');
  expect(templateHash({ spec, metadata }, 0)).toBe(hash);
  expect(new Set([hash, templateHash(template('v1'), 1), templateHash(template('v2'), 0)]).size).toBe(3);
});

it('hashes templates with integers that a double cannot have', () => {
  const tolerating = (seconds: bigint) => ({
    spec: { tolerations: [{ operator: 'Exists', tolerationSeconds: seconds as never }] },
  });
  expect(templateHash(tolerating(2n ** 63n - 1n), 0)).not.toBe(templateHash(tolerating(2n ** 63n - 2n), 0));
});
