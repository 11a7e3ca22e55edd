import { expect, it } from 'vitest';
import { defaultPriorities } from '../../src/bootstrap/api-services.ts';

it.each([
  ['', 'v1', 18000, 1],
  ['apps', 'v1', 17800, 15],
  ['autoscaling', 'v2', 17500, 30],
  ['admissionregistration.k8s.io', 'v1', 16700, 15],
  ['admissionregistration.k8s.io', 'v1beta1', 16700, 12],
  ['admissionregistration.k8s.io', 'v1alpha1', 16700, 9],
  ['coordination.k8s.io', 'v1alpha2', 16500, 12],
  ['flowcontrol.apiserver.k8s.io', 'v1', 16100, 21],
  ['internal.apiserver.k8s.io', 'v1alpha1', 16000, 9],
  ['networking.k8s.io', 'v1beta1', 17200, 9],
  ['resource.k8s.io', 'v1beta1', 16200, 9],
  ['resource.k8s.io', 'v1alpha3', 16200, 1],
  ['storagemigration.k8s.io', 'v1alpha1', 15800, 9],
  ['storage.k8s.io', 'v1alpha1', 16800, 1],
  ['example.com', 'v1', 1000, 100],
])('%s/%s has the priorities of kube-apiserver', (group, version, groupPriorityMinimum, versionPriority) => {
  expect(defaultPriorities(group, version)).toEqual({ groupPriorityMinimum, versionPriority });
});
