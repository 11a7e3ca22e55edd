import { describe, expect, it } from 'vitest';
import { AgeCell, formatAge } from '../../../src/kinds/table.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { BUILTIN_RESOURCES } from '../../support/builtin-kinds.ts';
import { tableOf } from '../../support/builtin-resources.ts';
import { recorded } from '../../support/recorded.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');

/** Returns the cells after the name at {@link NOW}. */
function cells(resource: string, object: object): unknown[] {
  const slash = resource.indexOf('/');
  const { metadata, ...rest } = object as KubernetesObject;
  const named = { metadata: { name: 'x', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata }, ...rest };
  const found = tableOf(resource.slice(0, slash), resource.slice(slash + 1)).cells(named);
  return found.slice(1).map((cell) => (cell instanceof AgeCell ? cell.text(NOW) : cell));
}

describe('tables', () => {
  it('returns a cell for each column, even for an empty object', () => {
    for (const { group, resource } of BUILTIN_RESOURCES) {
      const { columns, cells } = tableOf(group, resource);
      // A row of an address has a cell more than columns.
      const extra = resource === 'ipaddresses' ? 1 : 0;
      expect(cells({}), resource).toHaveLength(columns.length + extra);
      expect(
        columns.every(({ description }) => description !== ''),
        resource,
      ).toBe(true);
    }
    expect(tableOf('', 'limitranges').columns.map(({ name }) => name)).toEqual(['Name', 'Created At']);
  });

  it('has the recorded columns', () => {
    const golden = recorded<Record<string, { columns: object[] }>>('columns');
    const rows = BUILTIN_RESOURCES.filter(({ verbs }) => verbs.includes('get'));
    const actual = rows.map(({ group, version, resource }) => [
      `${group === '' ? '' : `${group}/`}${version}/${resource}`,
      tableOf(group, resource).columns.map(({ name, type, format, priority }) => ({
        name,
        type,
        format,
        priority,
      })),
    ]);
    const expected = Object.entries(golden).map(([key, { columns }]) => [key, columns]);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
  });

  it('sorts flow schemas in matching order', () => {
    const { compare } = tableOf('flowcontrol.apiserver.k8s.io', 'flowschemas');
    const schema = (name: string, matchingPrecedence: number) => ({
      metadata: { name },
      spec: { matchingPrecedence },
    });
    const list = [schema('b', 10_000), schema('c', 1), schema('a', 10_000), schema('d', 500)];
    expect(list.sort(compare).map(({ metadata }) => metadata.name)).toEqual(['c', 'd', 'a', 'b']);
    expect(tableOf('', 'pods').compare).toBeUndefined();
  });

  it('formats services', () => {
    const ports = [
      { port: 80, protocol: 'TCP' },
      { port: 53, nodePort: 30053, protocol: 'UDP' },
    ];
    expect(
      cells('/services', {
        spec: { type: 'ClusterIP', clusterIPs: ['10.0.0.1'], ports, selector: { x: 'y', a: 'b' } },
      }),
    ).toEqual(['ClusterIP', '10.0.0.1', '<none>', '80/TCP,53:30053/UDP', '60m', 'a=b,x=y']);
    const status = { loadBalancer: { ingress: [{ hostname: 'z' }, { ip: '192.0.2.1' }] } };
    expect(
      cells('/services', { spec: { type: 'LoadBalancer', externalIPs: ['192.0.2.9'] }, status })[2],
    ).toBe('192.0.2.1,z,192.0.2.9');
    expect(cells('/services', { spec: { type: 'LoadBalancer' } })[2]).toBe('<pending>');
    expect(
      cells('/services', { spec: { type: 'ExternalName', externalName: 'e.test' } }).slice(1, 4),
    ).toEqual(['<none>', 'e.test', '<none>']);
  });

  it('formats the first endpoints', () => {
    const addresses = ['10.0.0.1', '10.0.0.2', 'fd00::1', '10.0.0.4'].map((ip) => ({ ip }));
    expect(cells('/endpoints', { subsets: [{ addresses, ports: [{ port: 80 }] }] })[0]).toBe(
      '10.0.0.1:80,10.0.0.2:80,[fd00::1]:80 + 1 more...',
    );
    expect(cells('/endpoints', { subsets: [{ notReadyAddresses: addresses }] })[0]).toBe('');
    expect(cells('/endpoints', {})[0]).toBe('<none>');
    expect(
      cells('discovery.k8s.io/endpointslices', {
        addressType: 'IPv4',
        ports: [{ port: 80 }, { name: 'x' }],
        endpoints: [],
      }),
    ).toEqual(['IPv4', '80,x', '<unset>', '60m']);
  });

  it('formats nodes', () => {
    const metadata = {
      labels: {
        'node-role.kubernetes.io/worker': '',
        'node-role.kubernetes.io/control-plane': '',
        'kubernetes.io/role': 'old',
      },
    };
    const status = {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
      nodeInfo: { kubeletVersion: 'v1.32.0' },
    };
    expect(cells('/nodes', { metadata, status, spec: { unschedulable: true } })).toEqual([
      'Ready,SchedulingDisabled',
      'control-plane,old,worker',
      '60m',
      'v1.32.0',
      '192.0.2.1',
      '<none>',
      '<unknown>',
      '<unknown>',
      '<unknown>',
    ]);
    expect(cells('/nodes', { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } })[0]).toBe(
      'NotReady',
    );
    const repeated = [
      { type: 'Ready', status: 'True' },
      { type: 'Ready', status: 'False' },
    ];
    const addresses = [
      { type: 'ExternalIP', address: '' },
      { type: 'ExternalIP', address: '192.0.2.2' },
    ];
    const [ready, , , , internal, external] = cells('/nodes', {
      status: { conditions: repeated, addresses },
    });
    expect([ready, internal, external]).toEqual(['NotReady', '<none>', '']);
  });

  it('formats ages that are unknown, in the future, or longer than Go measures', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const ages = ['0001-01-01T00:00:00Z', '1601-01-01T00:00:00Z', '2026-01-01T00:00:01.9Z'];
    expect(ages.map((time) => formatAge(time, now))).toEqual(['<unknown>', '292y', '0s']);
    expect([undefined, '2026-01-01T00:00:02Z'].map((time) => formatAge(time, now))).toEqual([
      '<unknown>',
      '<invalid>',
    ]);
  });

  it('formats the progress of jobs', () => {
    const job = (more: object) => cells('batch/jobs', more).slice(0, 3);
    expect(
      job({ spec: { completions: 5 }, status: { succeeded: 2, startTime: '2026-01-01T00:30:00Z' } }),
    ).toEqual(['Running', '2/5', '30m']);
    expect(
      job({
        spec: { parallelism: 4 },
        status: {
          startTime: '2026-01-01T00:00:00Z',
          completionTime: '2026-01-01T00:00:07Z',
          conditions: [{ type: 'Complete', status: 'True' }],
        },
      }),
    ).toEqual(['Complete', '0/1 of 4', '7s']);
    expect(job({ status: { conditions: [{ type: 'Suspended', status: 'True' }] } })).toEqual([
      'Suspended',
      '0/1',
      '',
    ]);
    expect(job({ status: { conditions: [{ type: 'SuccessCriteriaMet', status: 'True' }] } })[0]).toBe(
      'Running',
    );
  });

  it('formats autoscaler metrics', () => {
    const metrics = [
      { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 60 } } },
      { type: 'Pods', pods: { metric: { name: 'q' }, target: { averageValue: '10' } } },
      { type: 'External', external: { target: { value: '3' } } },
    ];
    const status = {
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 5 } } }],
    };
    expect(
      cells('autoscaling/horizontalpodautoscalers', {
        apiVersion: 'autoscaling/v2',
        spec: { metrics },
        status,
      })[1],
    ).toBe('cpu: 5%/60%, <unknown>/10 + 1 more...');
    // The status of a metric may have another quantity than its specification.
    const text = (type: string, target: object, current?: object) => {
      const member = type.toLowerCase();
      return cells('autoscaling/horizontalpodautoscalers', {
        spec: { metrics: [{ type, [member]: { name: 'n', target } }] },
        status: current && { currentMetrics: [{ type, [member]: { current } }] },
      })[1];
    };
    for (const type of ['Object', 'External']) {
      expect(text(type, { value: '3' })).toBe('<unknown>/3');
      expect(text(type, { value: '3' }, { averageValue: '1' })).toBe('<nil>/3');
      expect(text(type, { averageValue: '3' }, { value: '1' })).toBe('<unknown>/3 (avg)');
    }
    expect(text('Pods', { averageValue: '3' }, { value: '1' })).toBe('<nil>/3');
    expect(text('Resource', { averageValue: '3' }, { averageUtilization: 1 })).toBe('n: <nil>/3');
    expect(text('Resource', { averageValue: '3' })).toBe('n: <unknown>/3');
  });

  it('formats the parameters of policy bindings', () => {
    const parameters = (paramRef?: object) =>
      cells('admissionregistration.k8s.io/validatingadmissionpolicybindings', { spec: { paramRef } })[1];
    expect(parameters()).toBe('<unset>');
    expect(parameters({ name: 'a' })).toBe('*/a');
    expect(parameters({ name: 'a', namespace: 'n' })).toBe('n/a');
    const matchExpressions = [{ key: 'k', operator: 'In', values: ['a', 'b'] }];
    expect(
      parameters({ namespace: 'n', selector: { matchLabels: { z: 'y', a: 'b' }, matchExpressions } }),
    ).toBe(
      '&LabelSelector{MatchLabels:map[string]string{a: b,z: y,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[a b],},},}',
    );
  });

  it('formats ingresses, policies and selectors', () => {
    const rules = ['a', 'b', 'c', 'd'].map((host) => ({ host }));
    expect(
      cells('networking.k8s.io/ingresses', { spec: { ingressClassName: 'c', tls: [{}], rules } }),
    ).toEqual(['c', 'a,b,c + 1 more...', '', '80, 443', '60m']);
    expect(cells('networking.k8s.io/ingresses', { spec: { rules: [{}] } })[1]).toBe('*');
    const matchExpressions = [
      { key: 'z', operator: 'NotIn', values: ['2', '1'] },
      { key: 'b', operator: 'Exists' },
      { key: 'a', operator: 'DoesNotExist' },
    ];
    expect(
      cells('networking.k8s.io/networkpolicies', {
        spec: { podSelector: { matchLabels: { m: 'n' }, matchExpressions } },
      })[0],
    ).toBe('!a,b,m=n,z notin (1,2)');
  });

  it('formats quotas, volumes and events', () => {
    const status = { hard: { 'limits.cpu': '2', pods: '10', 'requests.cpu': '1' }, used: { pods: '3' } };
    expect(cells('/resourcequotas', { status })).toEqual([
      '60m',
      'pods: 3/10, requests.cpu: 0/1',
      'limits.cpu: 0/2',
    ]);
    const claim = {
      spec: { volumeName: 'v', storageClassName: 's' },
      status: {
        phase: 'Bound',
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
      },
    };
    expect(cells('/persistentvolumeclaims', claim)).toEqual([
      'Bound',
      'v',
      '1Gi',
      'RWO,RWX',
      's',
      '<unset>',
      '60m',
      '<unset>',
    ]);
    const event = {
      type: 'Warning',
      reason: 'r',
      eventTime: '2026-01-01T00:10:00.000000Z',
      series: { count: 4, lastObservedTime: '2026-01-01T00:50:00.000000Z' },
    };
    const expected = ['Warning', 'r', 'pod/p', '', 'c, h', 'text', '50m', 4, 'x'];
    expect(
      cells('/events', {
        ...event,
        involvedObject: { kind: 'Pod', name: 'p' },
        source: { component: 'c', host: 'h' },
        message: 'text\n',
      }),
    ).toEqual(expected);
    expect(
      cells('events.k8s.io/events', {
        ...event,
        involvedObject: { kind: 'Pod', name: 'p' },
        reportingComponent: 'c',
        reportingInstance: 'h',
        message: 'text',
      }),
    ).toEqual(expected);
  });
});
