import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { watchUntil } from '../support/watch-until.ts';

type Conditioned = KubernetesObject & {
  status?: {
    phase?: string;
    conditions?: { type: string; status: string; reason: string; message: string }[];
  };
};

describe('built-in controllers', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  const call = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Conditioned> => {
    const response = await cluster.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
    const answer = (await response.json()) as Conditioned & { message?: string };
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer;
  };

  /** Watches a collection, including existing objects, until an event satisfies `condition`. */
  const seen = (
    collection: string,
    name: string,
    condition: (object: Conditioned, type: string) => boolean,
  ): Promise<Conditioned> =>
    watchUntil(cluster, `${collection}?fieldSelector=metadata.name%3D${name}`, condition);
  const exists = (_object: Conditioned, type: string): boolean => type !== 'DELETED';

  it('creates and recreates the default service account of every namespace', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const { metadata } = await seen(accounts, 'default', exists);
    await call('DELETE', `${accounts}/default`);
    await seen(
      accounts,
      'default',
      (object, type) => type === 'ADDED' && object.metadata?.uid !== metadata!.uid,
    );
    const namespace = await cluster.createNamespace();
    await seen(`/api/v1/namespaces/${namespace}/serviceaccounts`, 'default', exists);
  });

  it('allows a pod without a service account immediately after its namespace', async () => {
    const namespace = await cluster.createNamespace();
    const pod = await call('POST', `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    expect(pod['spec']).toMatchObject({ serviceAccountName: 'default' });
  });

  it('publishes the CA bundle and restores it', async () => {
    const namespace = await cluster.createNamespace();
    const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
    const isRight = ({ data }: KubernetesObject): boolean =>
      JSON.stringify(data) === JSON.stringify({ 'ca.crt': cluster.caBundle });
    const published = await seen(configMaps, 'kube-root-ca.crt', isRight);
    await call('PUT', `${configMaps}/kube-root-ca.crt`, { ...published, data: { other: 'x' } });
    await seen(configMaps, 'kube-root-ca.crt', (object, type) => type === 'MODIFIED' && isRight(object));
    await call('DELETE', `${configMaps}/kube-root-ca.crt`);
    await seen(
      configMaps,
      'kube-root-ca.crt',
      (object) => isRight(object) && object.metadata?.uid !== published.metadata!.uid,
    );
  });

  it('deletes a namespace with its content and running pods', async () => {
    const namespace = await cluster.createNamespace();
    const path = `/api/v1/namespaces/${namespace}`;
    await seen(`${path}/serviceaccounts`, 'default', exists);
    await call('POST', `${path}/pods`, {
      metadata: { name: 'p' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    });
    await call('POST', `${path}/configmaps`, { metadata: { name: 'c' } });
    await call('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    const gone = seen('/api/v1/namespaces', namespace, (_object, type) => type === 'DELETED');
    await call('DELETE', path);
    await gone;
    for (const collection of [
      `${path}/pods`,
      `${path}/configmaps`,
      `${path}/serviceaccounts`,
      `/apis/apps/v1/namespaces/${namespace}/deployments`,
    ])
      expect((await call('GET', collection))['items']).toEqual([]);
  });

  it('reports what blocks the deletion of a namespace, and waits', async () => {
    const namespace = await cluster.createNamespace();
    const path = `/api/v1/namespaces/${namespace}`;
    await call('POST', `${path}/configmaps`, { metadata: { name: 'kept', finalizers: ['x.test/keep'] } });
    const gone = seen('/api/v1/namespaces', namespace, (_object, type) => type === 'DELETED');
    await call('DELETE', path);
    const held = await seen(
      '/api/v1/namespaces',
      namespace,
      ({ status }) =>
        status?.conditions?.some(
          ({ type, status }) => type === 'NamespaceFinalizersRemaining' && status === 'True',
        ) ?? false,
    );
    const messages = held.status!.conditions!.map(({ message }) => message);
    expect(messages).toContain('Some resources are remaining: configmaps. has 1 resource instances');
    expect(messages).toContain(
      'Some content in the namespace has finalizers remaining: x.test/keep in 1 resource instances',
    );
    await call(
      'PATCH',
      `${path}/configmaps/kept`,
      { metadata: { finalizers: null } },
      { 'content-type': 'application/merge-patch+json' },
    );
    await gone;
  });

  it('keeps foreign finalizers of a namespace', async () => {
    const { metadata } = await call('POST', '/api/v1/namespaces', {
      metadata: { name: 'with-finalizer' },
      spec: { finalizers: ['x.test/other'] },
    });
    await call('DELETE', `/api/v1/namespaces/${metadata!.name}`);
    const left = await seen(
      '/api/v1/namespaces',
      metadata!.name!,
      ({ spec }) => !((spec as { finalizers?: string[] }).finalizers ?? []).includes('kubernetes'),
    );
    expect(left['spec']).toEqual({ finalizers: ['x.test/other'] });
  });
});

describe('built-in loops of the API server without controllers', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'] });
  });
  afterAll(() => cluster.stop());

  const request = async (method: string, path: string, body?: object): Promise<Conditioned> =>
    (await (
      await cluster.fetch(path, { method, ...(body === undefined ? {} : { body }) })
    ).json()) as Conditioned;

  /** Repeats the request after each change of the collection until an object's condition has the reason. */
  async function reason(collection: string, name: string, wanted: string) {
    const ended = new AbortController();
    const response = await cluster.fetch(
      `${collection}?watch=true&resourceVersion=0&fieldSelector=metadata.name%3D${name}`,
      { signal: ended.signal },
    );
    try {
      for await (const _chunk of response.body!) {
        const found = (await request('GET', `${collection}/${name}`)).status?.conditions?.[0];
        if (found?.reason === wanted) return found;
      }
    } finally {
      ended.abort();
    }
    throw new Error('the watch ended');
  }

  it('sets the Dangling condition of flow schemas', async () => {
    const base = '/apis/flowcontrol.apiserver.k8s.io/v1';
    await request('POST', `${base}/flowschemas`, {
      metadata: { name: 's' },
      spec: { priorityLevelConfiguration: { name: 'late' } },
    });
    expect(await reason(`${base}/flowschemas`, 's', 'NotFound')).toMatchObject({
      type: 'Dangling',
      status: 'True',
      message:
        'This FlowSchema references the PriorityLevelConfiguration object named "late" but there is no such object',
    });
    await request('POST', `${base}/prioritylevelconfigurations`, {
      metadata: { name: 'late' },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
    });
    expect(await reason(`${base}/flowschemas`, 's', 'Found')).toMatchObject({
      status: 'False',
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "late" and it exists',
    });
    await request('DELETE', `${base}/prioritylevelconfigurations/late`);
    expect(await reason(`${base}/flowschemas`, 's', 'NotFound')).toMatchObject({ status: 'True' });
  });

  it('sets the Available condition of APIServices', async () => {
    const collection = '/apis/apiregistration.k8s.io/v1/apiservices';
    const name = 'v1.ext.test';
    const spec = {
      group: 'ext.test',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { namespace: 'default', name: 'ext' },
      insecureSkipTLSVerify: true,
    };
    await request('POST', collection, { metadata: { name }, spec });
    expect(await reason(collection, name, 'ServiceNotFound')).toMatchObject({
      type: 'Available',
      status: 'False',
      message: 'service/ext in "default" is not present',
    });
    await request('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'ext' },
      spec: { ports: [{ port: 443 }] },
    });
    expect(await reason(collection, name, 'EndpointsNotFound')).toMatchObject({
      status: 'False',
      message: 'cannot find endpoints for service/ext in "default"',
    });
  });

  it('creates no service accounts and deletes no namespace content', async () => {
    const name = await cluster.createNamespace();
    await request('DELETE', `/api/v1/namespaces/${name}`);
    expect((await request('GET', `/api/v1/namespaces/${name}`)).status?.phase).toBe('Terminating');
    expect((await request('GET', '/api/v1/serviceaccounts'))['items']).toEqual([]);
  });

  it('rejects an unknown controller before start', async () => {
    await expect(startCluster({ controllers: ['nobody'] })).rejects.toThrow(
      '--controllers: "nobody" is not a known controller',
    );
  });
});
