import { describe, expect, it } from 'vitest';
import type { Node } from '../../src/model/generated/core-v1.ts';
import { nodeStatusOf, nodeStatusPatch } from '../../src/nodes/node-status.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const NOT_READY = 'node-not-ready.stage.kwok.x-k8s.io';
const statusOf = (node: Node, now = NOW) =>
  nodeStatusOf({
    node,
    index: 4,
    capacity: { cpu: '8', memory: '16Gi', pods: '110' },
    version: 'v1.32.13',
    now,
  });
const ready = (node: Node) => statusOf(node).conditions?.find(({ type }) => type === 'Ready');

describe('the status of a node', () => {
  it('is that of a kubelet', () => {
    const status = statusOf({ metadata: { name: 'n', uid: 'a-b' } });
    expect(status).toMatchObject({
      capacity: { cpu: '8', memory: '16Gi', pods: '110' },
      allocatable: { cpu: '8', memory: '16Gi', pods: '110' },
      addresses: [
        { type: 'InternalIP', address: '10.0.1.5' },
        { type: 'Hostname', address: 'n' },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.32.13',
        architecture: 'amd64',
        operatingSystem: 'linux',
        machineID: 'ab',
      },
    });
    expect(status.conditions?.map(({ type, status: value, reason }) => `${type} ${value} ${reason}`)).toEqual(
      [
        'MemoryPressure False KubeletHasSufficientMemory',
        'DiskPressure False KubeletHasNoDiskPressure',
        'PIDPressure False KubeletHasSufficientPID',
        'Ready True KubeletReady',
      ],
    );
    expect(status).not.toHaveProperty('daemonEndpoints');
  });

  it('keeps what the object says', () => {
    const status = statusOf({
      metadata: { name: 'n', labels: { 'kubernetes.io/arch': 'arm64' } },
      status: {
        capacity: { cpu: '4', 'example.com/gpu': '2' },
        allocatable: { cpu: '3' },
        addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
        nodeInfo: { kubeletVersion: 'v1.30.0', osImage: '' },
      },
    });
    expect(status).toMatchObject({
      capacity: { cpu: '4', memory: '16Gi', 'example.com/gpu': '2' },
      allocatable: { cpu: '3', memory: '16Gi', 'example.com/gpu': '2' },
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
      nodeInfo: { kubeletVersion: 'v1.30.0', osImage: 'simulated', architecture: 'arm64' },
    });
  });

  it('is not ready as the label says', () => {
    const labels = { [NOT_READY]: 'true' };
    expect(ready({ metadata: { labels } })).toMatchObject({
      status: 'False',
      reason: 'nodeFailed',
      message: 'node failed',
    });
    const annotations = {
      [`${NOT_READY}/reason`]: 'Melted',
      [`${NOT_READY}/message`]: 'it is hot',
      [`${NOT_READY}/type`]: 'MemoryPressure',
    };
    expect(ready({ metadata: { labels, annotations } })).toMatchObject({
      reason: 'Melted',
      message: 'it is hot',
    });
    expect(statusOf({ metadata: { labels, annotations } }).conditions?.[0]).toMatchObject({
      status: 'True',
      reason: 'Melted',
    });
  });
});

describe('the patch of a status', () => {
  const written: Node = { metadata: { name: 'n' } };
  written.status = statusOf(written);

  it('is empty when nothing has changed', () => {
    expect(nodeStatusPatch(written, statusOf(written, NOW + 60_000), false)).toBeUndefined();
  });

  it('has the heartbeats when it is time', () => {
    const patch = nodeStatusPatch(written, statusOf(written, NOW + 60_000), true) as {
      status: Node['status'];
    };
    expect(Object.keys(patch.status!)).toEqual(['conditions']);
    expect(patch.status!.conditions).toHaveLength(4);
    expect(patch.status!.conditions![3]).toMatchObject({
      lastHeartbeatTime: '2030-01-01T00:01:00Z',
      lastTransitionTime: '2030-01-01T00:00:00Z',
    });
  });

  it('has the condition that another client changed', () => {
    const changed = structuredClone(written);
    Object.assign(changed.status!.conditions![3]!, { status: 'Unknown', reason: 'NodeStatusUnknown' });
    expect(nodeStatusPatch(changed, statusOf(changed, NOW + 5000), false)).toEqual({
      status: {
        conditions: [
          expect.objectContaining({
            type: 'Ready',
            status: 'True',
            lastTransitionTime: '2030-01-01T00:00:05Z',
          }),
        ],
      },
    });
  });
});
