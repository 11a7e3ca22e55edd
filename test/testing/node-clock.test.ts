import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { watchUntil } from '../support/watch-until.ts';

const PODS = '/api/v1/namespaces/default/pods';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const NODES = '/api/v1/nodes';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

interface Named {
  readonly metadata: {
    readonly name: string;
    readonly deletionTimestamp?: string;
    readonly resourceVersion: string;
  };
}
interface Node extends Named {
  readonly spec: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}
interface Lease extends Named {
  readonly spec: { readonly renewTime: string };
}
interface Job extends Named {
  readonly status: { readonly succeeded?: number };
}

describe('the time of a cluster with simulated nodes', () => {
  let template: TestCluster;
  let node: string;
  beforeAll(async () => {
    template = await startCluster({ simulateNodes: 2 });
    await template.quiescent();
    const { items } = await get<{ items: Node[] }>(template, NODES);
    node = items[0]!.metadata.name;
  });
  afterAll(() => template.stop());

  async function send<Answer>(
    cluster: TestCluster,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> {
    const headers: Record<string, string> =
      method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    const response = await cluster.fetch(path, { method, headers, ...(body && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  }
  const get = <Answer>(cluster: TestCluster, path: string) => send<Answer>(cluster, 'GET', path);
  const ready = async (cluster: TestCluster): Promise<string | undefined> =>
    (await get<Node>(cluster, `${NODES}/${node}`)).status.conditions.find(({ type }) => type === 'Ready')
      ?.status;
  const offline = (cluster: TestCluster, value: 'true' | null) =>
    send(cluster, 'PATCH', `${NODES}/${node}`, {
      metadata: { annotations: { 'sim.binnacle.dev/offline': value } },
    });
  const pod = (name: string, tolerationSeconds?: number) => ({
    metadata: { name },
    spec: {
      nodeName: node,
      containers: [{ name: 'a', image: 'a' }],
      terminationGracePeriodSeconds: 0,
      ...(tolerationSeconds !== undefined && {
        tolerations: [{ key: UNREACHABLE, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }],
      }),
    },
  });
  const job = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: {
      ...spec,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a', command: ['sleep', '60'] }] },
      },
    },
  });
  const isGoing = async (cluster: TestCluster, name: string): Promise<boolean> => {
    const response = await cluster.fetch(`${PODS}/${name}`);
    return (
      response.status === 404 || ((await response.json()) as Named).metadata.deletionTimestamp !== undefined
    );
  };

  it('renews the Lease of a node once when it moves by an hour, and the node stays ready', async () => {
    await using cluster = await template.fork();
    cluster.clock.freeze();
    await cluster.clock.advance('1m');
    const before = await get<Lease>(cluster, `${LEASES}/${node}`);
    await cluster.clock.advance('1h');
    expect(await ready(cluster)).toBe('True');
    await send(cluster, 'POST', LEASES, { metadata: { name: 'last' } });
    const renewals: string[] = [];
    await watchUntil<Lease>(
      cluster,
      LEASES,
      ({ metadata, spec }) => {
        if (metadata.name === node) renewals.push(spec.renewTime);
        return metadata.name === 'last';
      },
      before.metadata.resourceVersion,
    );
    expect(renewals.map((time) => new Date(time).getTime())).toEqual([cluster.clock.now().getTime()]);
  });

  it('does not make a node silent while it stands still', async () => {
    await using cluster = await template.fork();
    cluster.clock.freeze();
    await offline(cluster, 'true');
    await cluster.clock.advance('30s');
    await send(cluster, 'POST', PODS, pod('a'));
    await cluster.quiescent();
    expect(await ready(cluster)).toBe('True');
    await cluster.clock.advance('40s');
    expect(await ready(cluster)).toBe('Unknown');
  });

  it('evicts Pods of a node that is down when they tolerate it no longer', async () => {
    await using cluster = await template.fork();
    cluster.clock.freeze();
    await send(cluster, 'POST', PODS, pod('short', 30));
    await send(cluster, 'POST', PODS, pod('default'));
    await send(cluster, 'POST', PODS, {
      ...pod('always'),
      spec: { ...pod('always').spec, tolerations: [{ operator: 'Exists' }] },
    });
    await cluster.clock.advance('5s');
    await offline(cluster, 'true');
    await cluster.clock.advance('1m');
    expect(await ready(cluster)).toBe('Unknown');
    const { spec } = await get<Node>(cluster, `${NODES}/${node}`);
    expect(spec.taints?.map(({ key, effect }) => `${key}:${effect}`).sort()).toEqual([
      `${UNREACHABLE}:NoExecute`,
      `${UNREACHABLE}:NoSchedule`,
    ]);
    expect(await isGoing(cluster, 'short')).toBe(false);
    await cluster.clock.advance('31s');
    expect(await isGoing(cluster, 'short')).toBe(true);
    await cluster.clock.advance('4m');
    expect(await isGoing(cluster, 'default')).toBe(false);
    await cluster.clock.advance('1m');
    expect(await isGoing(cluster, 'default')).toBe(true);
    expect(await isGoing(cluster, 'always')).toBe(false);
    await offline(cluster, null);
    await cluster.clock.advance('1m');
    expect(await ready(cluster)).toBe('True');
    expect((await get<Node>(cluster, `${NODES}/${node}`)).spec.taints).toBeUndefined();
    expect((await cluster.fetch(`${PODS}/default`)).status).toBe(404);
  });

  it('removes a finished Job when its time to live is over', async () => {
    await using cluster = await template.fork();
    cluster.clock.freeze();
    await send(cluster, 'POST', JOBS, job('done', { ttlSecondsAfterFinished: 100 }));
    await cluster.clock.advance('2m');
    expect((await get<Job>(cluster, `${JOBS}/done`)).status.succeeded).toBe(1);
    await cluster.clock.advance('2m');
    expect((await cluster.fetch(`${JOBS}/done`)).status).toBe(404);
  });

  it.each([409, 500, 503] as const)(
    'lets controllers repeat what got %i while it stands still',
    async (status) => {
      await using cluster = await template.fork();
      cluster.clock.freeze();
      const users = ['system:serviceaccount:kube-system:job-controller'];
      cluster.faults.add({ users, status, retryAfter: 1, count: 4 });
      await send(cluster, 'POST', JOBS, job('one'));
      await watchUntil<Named>(cluster, PODS, ({ metadata }) => metadata.name.startsWith('one-'));
      await cluster.quiescent();
      await cluster.clock.advance('2m');
      expect((await get<Job>(cluster, `${JOBS}/one`)).status.succeeded).toBe(1);
      expect(cluster.faults.list()[0]!.injected).toBe(4);
    },
  );
});
