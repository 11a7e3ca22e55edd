import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pod } from '../../src/model/generated/core-v1.ts';
import type { EndpointSlice } from '../../src/model/generated/discovery-v1.ts';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';

/** A Job as a chart has it for a hook of an installation. */
const hook = (name: string, event: string, command: string): string =>
  JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      annotations: {
        'helm.sh/hook': event,
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      },
    },
    spec: {
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: 'shop/tasks', command: ['sh', '-c', command] }],
        },
      },
    },
  });

describe.skipIf(!hasKubectl)('kubectl and a cluster with simulated nodes', () => {
  const server = new BuiltServer(['--simulate-nodes=3']);
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    await kubectl.run('apply -f examples/web-app/namespace.yaml');
  });
  afterAll(() => server.remove());

  const list = async <Item>(what: string): Promise<Item[]> =>
    (JSON.parse(await kubectl.run(`get ${what} -n shop -o json`)) as { items: Item[] }).items;

  /** Addresses of ready endpoints of the Service. */
  const addresses = async (): Promise<string[]> => {
    const slices = await list<EndpointSlice>('endpointslices -l kubernetes.io/service-name=web');
    return slices
      .flatMap(({ endpoints }) => endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready)
      .flatMap((endpoint) => endpoint.addresses ?? [])
      .sort();
  };

  const pods = async (): Promise<Pod[]> =>
    (await list<Pod>('pods -l app.kubernetes.io/name=web')).filter(
      ({ metadata }) => metadata?.deletionTimestamp === undefined,
    );

  it('installs as a chart with hooks is installed that waits', async () => {
    await kubectl.run('create -n shop -f -', { input: hook('before', 'pre-install', 'sleep 1; exit 0') });
    await kubectl.run('wait -n shop --for=condition=complete job/before --timeout=60s');
    await kubectl.run('delete -n shop job/before');
    await kubectl.run('apply -f examples/web-app');
    expect(await kubectl.run('rollout status -n shop deployment/web --timeout=60s')).toContain(
      'deployment "web" successfully rolled out',
    );
    await kubectl.run('create -n shop -f -', { input: hook('after', 'post-install', 'exit 3') });
    await kubectl.run('wait -n shop --for=condition=failed job/after --timeout=60s');
    expect(
      await kubectl.run(
        'get pods -n shop -l job-name=after -o jsonpath={.items[*].status.containerStatuses[0].state.terminated.exitCode}',
      ),
    ).toBe('3');
  });

  it('lists the Pods of a Service, through a scale and a rollout', async () => {
    await expect.poll(addresses, { timeout: 60_000 }).toHaveLength(3);
    await kubectl.run('scale -n shop deployment/web --replicas=5');
    await kubectl.run('set image -n shop deployment/web web=registry.example.com/shop/web:2.5.0');
    await kubectl.run('rollout status -n shop deployment/web --timeout=60s');
    const expected = (await pods()).map(({ status }) => status!.podIP!);
    expect(expected.length).toBe(5);
    await expect.poll(addresses, { timeout: 60_000 }).toEqual(expected.sort());
    expect(await kubectl.run('rollout undo -n shop deployment/web')).toContain('rolled back');
    await kubectl.run('rollout status -n shop deployment/web --timeout=60s');
  });

  it('drains a node, whose Pods are made again on others', async () => {
    await kubectl.run('drain node-1 --timeout=60s');
    await kubectl.run('rollout status -n shop deployment/web --timeout=60s');
    const nodes = (await pods()).map(({ spec }) => spec!.nodeName);
    expect(nodes.length).toBe(5);
    expect(nodes).not.toContain('node-1');
    await kubectl.run('uncordon node-1');
  });
});
