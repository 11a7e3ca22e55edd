import { expect, it } from 'vitest';
import { isSameTemplate, templateHash } from '../../../src/workloads/deployments/template-hash.ts';
import { template } from './objects.ts';

const labelled = (value: string) => ({
  ...template('v1'),
  metadata: { labels: { app: 'web', 'pod-template-hash': value } },
});

it('hashes templates into the alphabet of names, whatever the order of members', () => {
  const hash = templateHash(template('v1'), 0);
  expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
  const { spec, metadata } = template('v1');
  expect(templateHash({ spec, metadata }, 0)).toBe(hash);
  expect(new Set([hash, templateHash(template('v1'), 1), templateHash(template('v2'), 0)]).size).toBe(3);
});

it('compares templates without the label of the hash', () => {
  expect(isSameTemplate(labelled('a'), labelled('b'))).toBe(true);
  expect(isSameTemplate(labelled('a'), template('v1'))).toBe(true);
  expect(isSameTemplate(labelled('a'), template('v2'))).toBe(false);
  expect(isSameTemplate({ metadata: { labels: { 'pod-template-hash': 'a' } } }, { metadata: {} })).toBe(true);
});
