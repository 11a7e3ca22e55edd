import { expect, it } from 'vitest';
import { isSameTemplate } from '../../../src/workloads/deployments/template-hash.ts';
import { template } from './objects.ts';

const labelled = (value: string) => ({
  ...template('v1'),
  metadata: { labels: { app: 'web', 'pod-template-hash': value } },
});

it('compares templates without the label of the hash', () => {
  expect(isSameTemplate(labelled('a'), labelled('b'))).toBe(true);
  expect(isSameTemplate(labelled('a'), template('v1'))).toBe(true);
  expect(isSameTemplate(labelled('a'), template('v2'))).toBe(false);
  expect(isSameTemplate({ metadata: { labels: { 'pod-template-hash': 'a' } } }, { metadata: {} })).toBe(true);
});
