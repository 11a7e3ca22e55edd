import { expect, it } from 'vitest';
import { podUsage } from '../../src/nodes/pod-usage.ts';
import { NOW, pod } from '../reconcile/pods/pods.ts';

const using = (annotations: Record<string, string>, options: Parameters<typeof pod>[1] = {}) => {
  const one = pod('a', options);
  return podUsage({ ...one, metadata: { ...one.metadata, annotations } }, NOW);
};

it('measures each container of a running Pod by the annotations of the Pod', () => {
  const cpu = { 'kwok.x-k8s.io/usage-cpu': '250m' };
  expect(using({ ...cpu, 'kwok.x-k8s.io/usage-memory': '1Gi' })).toEqual({
    pod: 'a',
    namespace: 'ns',
    at: NOW,
    window: 10_000,
    containers: [{ name: 'main', usage: { cpu: '250m', memory: '1Gi' } }],
  });
  expect(using(cpu)).toMatchObject({ containers: [{ usage: { cpu: '250m', memory: '100Mi' } }] });
  expect(using({})).toBeUndefined();
  expect(using({ 'kwok.x-k8s.io/usage-cpu': 'much' })).toBeUndefined();
  expect(using(cpu, { phase: 'Pending' })).toBeUndefined();
  expect(using(cpu, { deleted: true })).toBeUndefined();
});
