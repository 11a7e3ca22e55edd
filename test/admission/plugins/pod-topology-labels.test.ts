import { expect, it } from 'vitest';
import { podTopologyLabels } from '../../../src/admission/plugins/pod-topology-labels.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { loadScheme } from '../../../src/model/scheme.ts';
import { admissionRequest, admitted, pod } from '../fixtures.ts';

const labels = {
  'topology.kubernetes.io/zone': 'z',
  'topology.k8s.io/zone': 'older',
  'kubernetes.io/hostname': 'h',
};
const pluginOf = async (minor: '1.33' | '1.35', isOn = true) =>
  podTopologyLabels({
    node: (name) => (name === 'one' ? { metadata: { name, labels } } : undefined),
    scheme: await loadScheme(minor),
    isOn: () => isOn,
  });
const binding = (kind: string): KubernetesObject => ({
  metadata: { name: 'p' },
  target: { kind, name: 'one' },
});

it('copies the topology of the node to a Pod that is created for it', async () => {
  const own = { a: 'b', 'topology.kubernetes.io/zone': 'another' };
  const assigned = pod({ nodeName: 'one' }, { labels: own });
  const { metadata } = await admitted(await pluginOf('1.35'), admissionRequest('pods', assigned));
  expect(metadata?.labels).toEqual({ a: 'b', 'topology.kubernetes.io/zone': 'z' });
});

it.each([
  ['1.33', { 'topology.k8s.io/zone': 'older' }],
  ['1.35', { 'topology.kubernetes.io/zone': 'z' }],
] as const)('copies it to a Binding in %s', async (minor, copied) => {
  const request = admissionRequest('pods', binding('Node'), { subresource: 'binding' });
  expect((await admitted(await pluginOf(minor), request)).metadata?.labels).toEqual(copied);
});

it('leaves Pods without node, of absent nodes and bindings to something else as they are', async () => {
  const plugin = await pluginOf('1.35');
  for (const spec of [{}, { nodeName: 'gone' }])
    expect((await admitted(plugin, admissionRequest('pods', pod(spec)))).metadata).toEqual({ name: 'p' });
  const request = admissionRequest('pods', binding('Other'), { subresource: 'binding' });
  expect((await admitted(plugin, request)).metadata).toEqual({ name: 'p' });
});

it('does nothing without its feature gate', async () => {
  const assigned = pod({ nodeName: 'one' });
  const { metadata } = await admitted(await pluginOf('1.35', false), admissionRequest('pods', assigned));
  expect(metadata).toEqual({ name: 'p' });
});
