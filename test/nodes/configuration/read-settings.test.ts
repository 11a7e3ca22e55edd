import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/nodes/configuration/read-settings.ts';

const errorOf = (text: string): string => {
  try {
    readSettings(text, undefined);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('the settings of the simulation', () => {
  it('are without delays by default', () => {
    expect(readSettings(undefined, 2)).toEqual({
      nodes: [expect.objectContaining({ name: 'node-0' }), expect.objectContaining({ name: 'node-1' })],
      allNodes: false,
      capacity: { cpu: '8', memory: '16Gi', pods: '110' },
      times: { readyDelay: 0, stopDelay: 0, completeDelay: 1000, restartBackOff: 10_000 },
      missingImages: new Set(),
      leaseInterval: 10_000,
      ipv6: undefined,
      storageClass: 'standard',
      events: false,
      logsContent: undefined,
    });
  });

  it('have the members of a JSON document', () => {
    const settings = readSettings(
      JSON.stringify({
        nodes: 4,
        zones: 2,
        cpu: '4',
        memory: '8Gi',
        pods: 1000,
        prefix: 'n-',
        'ready-delay': '100ms',
        'stop-delay': 50,
        'complete-delay': '2s',
        'lease-interval': '2s',
        'restart-backoff': '1s',
        ipv6: true,
        'all-nodes': true,
        'storage-class': 'fast',
        'missing-images': ['app:404'],
        events: true,
        'logs-content': 'hello\n',
      }),
      undefined,
    );
    expect(settings).toMatchObject({
      allNodes: true,
      capacity: { cpu: '4', memory: '8Gi', pods: '1000' },
      times: { readyDelay: 100, stopDelay: 50, completeDelay: 2000, restartBackOff: 1000 },
      leaseInterval: 2000,
      ipv6: true,
      storageClass: 'fast',
      missingImages: new Set(['app:404']),
      events: true,
      logsContent: 'hello\n',
    });
    expect(
      settings.nodes.map(({ name, labels }) => `${name} ${labels['topology.kubernetes.io/zone']}`),
    ).toEqual(['n-0 zone-a', 'n-1 zone-b', 'n-2 zone-a', 'n-3 zone-b']);
    expect(settings.nodes[0]!.labels).toEqual({
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': 'n-0',
      'kubernetes.io/os': 'linux',
      'topology.kubernetes.io/region': 'region-1',
      'topology.kubernetes.io/zone': 'zone-a',
    });
  });

  it('prefer the number of the flag', () => {
    expect(readSettings('nodes: 4', 0).nodes).toHaveLength(0);
    expect(readSettings('nodes: 1\nzones: 0', 2).nodes[1]!.labels).not.toHaveProperty(
      'topology.kubernetes.io/zone',
    );
  });

  it('have nodes by list, in YAML', () => {
    const { nodes } = readSettings(
      `
nodes:
- name: big
  capacity: {cpu: 64, example.com/gpu: "8"}
  labels: {disk: ssd}
  annotations: {note: x}
  zone: east
  taints:
  - {key: gpu, value: "yes", effect: NoSchedule}
- name: small
  count: 2
  unschedulable: true
`,
      4,
    );
    expect(nodes.map(({ name }) => name)).toEqual(['big', 'small-0', 'small-1', 'node-0']);
    expect(nodes[0]).toMatchObject({
      capacity: { cpu: '64', memory: '16Gi', pods: '110', 'example.com/gpu': '8' },
      labels: { disk: 'ssd', 'topology.kubernetes.io/zone': 'east', 'kubernetes.io/hostname': 'big' },
      annotations: { note: 'x' },
      taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
      unschedulable: false,
    });
    expect(nodes[2]).toMatchObject({ unschedulable: true, taints: [] });
  });

  it.each([
    ['nodes: many', 'nodes: Invalid value: "many": must be a whole number from 0 to 10000'],
    ['cpu: -1', 'cpu: Invalid value: -1: must be a quantity of at least 0, such as "8" or "16Gi"'],
    [
      'ready-delay: soon',
      'ready-delay: Invalid value: "soon": must be a duration of at least 0ms, such as "2s"',
    ],
    [
      'restart-backoff: 0',
      'restart-backoff: Invalid value: 0: must be a duration of at least 1ms, such as "2s"',
    ],
    ['ipv6: 4', 'ipv6: Invalid value: 4: must be true or false'],
    ['prefix: A_', 'prefix: Invalid value: "A_": must be the begin of a node name, such as "node-"'],
    [
      'nodes: [{}]',
      'nodes[0].name: Required value: the name of the node, or the begin of the names with count',
    ],
    ['nodes: [{name: a}, {name: a}]', 'nodes[1].name: Invalid value: "a": names the node "a" again'],
    ['nodes: [1]', 'nodes: Invalid value: [1]: must be a list of objects'],
    [
      'nodes: [{name: a, taints: [{key: b, effect: Nope}]}]',
      'nodes[0].taints[0].effect: Invalid value: "Nope": must be one of NoSchedule, PreferNoSchedule, NoExecute',
    ],
    [
      'nodes: [{name: a, capacity: {cpu: x}}]',
      'nodes[0].capacity.cpu: Invalid value: "x": must be a quantity of at least 0, such as "8" or "16Gi"',
    ],
    [
      'nodes: [{name: a, count: 9999}, {name: b, count: 2}]',
      'nodes: Invalid value: 10001: must be at most 10000 in all',
    ],
    ['[]', 'must be an object, such as {"nodes": 3}'],
    ['{"cpu": 1, "cpu": 2}', 'duplicate members'],
    ['a: [', ''],
  ])('are refused: %j', (text, message) => {
    expect(errorOf(text)).toContain(message);
    expect(errorOf(text)).not.toBe('');
  });

  it('name the members where one is unknown', () => {
    expect(errorOf('readyDelay: 1s')).toMatch(
      /^readyDelay: Invalid value: "1s": is no member; the members are all-nodes, /,
    );
  });
});
