import { expect, it } from 'vitest';
import { untilAvailable } from '../../../src/reconcile/pods/pod-state.ts';
import { NOW, pod } from './pods.ts';

it('says when the next Pod is available', () => {
  expect(untilAvailable([pod('a', { ready: 4 }), pod('b', { ready: 7 }), pod('c')], 10, NOW)).toBe(3000);
  expect(untilAvailable([pod('a', { ready: 10 })], 10, NOW)).toBeUndefined();
  expect(untilAvailable([pod('a', { ready: 0 })], 0, NOW)).toBeUndefined();
});
