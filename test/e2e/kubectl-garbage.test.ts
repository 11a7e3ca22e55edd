import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';

const TIMEOUT = 120_000;
const CONTAINERS = [{ name: 'c', image: 'registry.example.com/c:1' }];
const LABELS = { app: 'web' };
const WORKLOAD = {
  selector: { matchLabels: LABELS },
  template: { metadata: { labels: LABELS }, spec: { containers: CONTAINERS } },
};

describe.skipIf(!hasKubectl)('kubectl and dependents', () => {
  const server = new BuiltServer(['--controllers=*,-deployment-controller,-replicaset-controller']);
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
  }, TIMEOUT);
  afterAll(() => server.remove());

  interface Made {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly uid: string };
  }
  const make = (path: string, name: string, spec: object, owner?: Made): Promise<Made> => {
    const { apiVersion, kind, metadata } = owner ?? {};
    const ownerReferences = metadata && [
      {
        apiVersion,
        kind,
        name: metadata.name,
        uid: metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ];
    return server.json('POST', path, {
      metadata: { name, labels: LABELS, ...(ownerReferences && { ownerReferences }) },
      spec,
    });
  };

  /** A Deployment with a ReplicaSet and Pods, as their controllers would create them. */
  async function deploy(namespace: string): Promise<void> {
    await kubectl.run(`create namespace ${namespace}`);
    await kubectl.run(`wait --for=create serviceaccount/default -n ${namespace} --timeout=60s`);
    const apps = `/apis/apps/v1/namespaces/${namespace}`;
    const deployment = await make(`${apps}/deployments`, 'web', WORKLOAD);
    const replicaSet = await make(`${apps}/replicasets`, 'web-1', WORKLOAD, deployment);
    for (const name of ['web-1-a', 'web-1-b'])
      await make(`/api/v1/namespaces/${namespace}/pods`, name, { containers: CONTAINERS }, replicaSet);
  }
  const left = async (namespace: string): Promise<string[]> =>
    (await kubectl.run(`get deployments,replicasets,pods -n ${namespace} -o name`))
      .split('\n')
      .filter((line) => line !== '');

  it(
    'waits with --cascade=foreground until all dependents are deleted',
    async () => {
      await deploy('foreground');
      expect(
        await kubectl.run('delete deployment web -n foreground --cascade=foreground --timeout=60s'),
      ).toBe('deployment.apps "web" deleted\n');
      expect(await left('foreground')).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'keeps dependents without owner with --cascade=orphan',
    async () => {
      await deploy('orphan');
      await kubectl.run('delete deployment web -n orphan --cascade=orphan --timeout=60s');
      expect(await left('orphan')).toEqual(['replicaset.apps/web-1', 'pod/web-1-a', 'pod/web-1-b']);
      expect(
        await kubectl.run('get replicaset web-1 -n orphan -o jsonpath={.metadata.ownerReferences}'),
      ).toBe('');
      expect(
        await kubectl.run('get pod web-1-a -n orphan -o jsonpath={.metadata.ownerReferences[0].name}'),
      ).toBe('web-1');
    },
    TIMEOUT,
  );

  it(
    'deletes dependents in the background by default',
    async () => {
      await deploy('background');
      await kubectl.run('delete deployment web -n background');
      await kubectl.run(
        'wait --for=delete replicaset/web-1 pod/web-1-a pod/web-1-b -n background --timeout=60s',
      );
      expect(await left('background')).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'waits for the deletion of a namespace with its content, and shows the remaining content',
    async () => {
      await deploy('leaving');
      await kubectl.run(
        `patch pod web-1-a -n leaving --type=merge -p {"metadata":{"finalizers":["x.test/held"]}}`,
      );
      await kubectl.run('delete namespace leaving --wait=false');
      await kubectl.run(
        'wait --for=condition=NamespaceFinalizersRemaining=True namespace/leaving --timeout=60s',
      );
      expect(await kubectl.run('get namespace leaving -o jsonpath={.status.phase}')).toBe('Terminating');
      expect(await kubectl.run('describe namespace leaving')).toContain(
        'Some content in the namespace has finalizers remaining: x.test/held in 1 resource instances',
      );
      await kubectl.run(`patch pod web-1-a -n leaving --type=merge -p {"metadata":{"finalizers":null}}`);
      await kubectl.run('wait --for=delete namespace/leaving --timeout=60s');
    },
    TIMEOUT,
  );
});
