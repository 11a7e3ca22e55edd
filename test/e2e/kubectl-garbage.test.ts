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

describe.skipIf(!hasKubectl)('kubectl and what objects own', () => {
  const server = new BuiltServer();
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

  /** A Deployment, its ReplicaSet and its Pods, as their controllers would have made them. */
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
    'waits with --cascade=foreground until all that is owned has gone',
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
    'keeps with --cascade=orphan what is owned, which has no owner then',
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
    'deletes what is owned afterwards when not told otherwise',
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
    'waits for a namespace that goes with everything in it, and shows what holds it',
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
