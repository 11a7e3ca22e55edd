import { expect, it } from 'vitest';
import { runtimeClassStrategy } from '../../../src/kinds/node/runtime-class.ts';
import { errorsOf } from '../run-strategy.ts';

const duplicates = (...tolerations: object[]) =>
  errorsOf(runtimeClassStrategy, { handler: 'h', scheduling: { tolerations } }).filter((text) =>
    text.includes('Duplicate'),
  ).length;

it('compares tolerations without their seconds, absent members as empty ones', () => {
  const one = { key: 'a', operator: 'Exists', effect: 'NoExecute' };
  expect(duplicates({ ...one, tolerationSeconds: 300n }, one, { ...one, tolerationSeconds: 1n })).toBe(2);
  expect(duplicates(one, { ...one, value: '' })).toBe(1);
  expect(duplicates({ key: 'a' }, { key: 'a', operator: '' })).toBe(1);
  expect(duplicates({ key: 'a' }, { key: 'a', operator: 'Equal' }, { key: 'a', value: 'x' })).toBe(0);
});
