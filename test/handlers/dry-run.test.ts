import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

interface Request {
  readonly method: string;
  /** Path below the namespace. */
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly api?: string;
  /** Status of the response, default 200. */
  readonly status?: number;
}
interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  readonly object: any;
}

const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const labels = { a: 'b' };
const deployment = {
  metadata: { name: 'd' },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
};
const map = (name: string, data: object = { k: 'new' }) => ({ metadata: { name }, data });
const applied = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...map(name) });
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
const binding = { metadata: { name: 'q' }, target: { kind: 'Node', name: 'n' } };
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };
const apps = '/apis/apps/v1';

const writes: Record<string, Request> = {
  POST: { status: 201, method: 'POST', path: 'configmaps', body: map('new') },
  'POST with a generated name': {
    status: 201,
    method: 'POST',
    path: 'configmaps',
    body: { metadata: { generateName: 'new-' } },
  },
  'POST of a taken name': { status: 409, method: 'POST', path: 'configmaps', body: map('a') },
  'POST of a wrong object': { status: 422, method: 'POST', path: 'configmaps', body: map('NEW') },
  PUT: { method: 'PUT', path: 'configmaps/a', body: map('a') },
  'PUT of the same': {
    method: 'PUT',
    path: 'configmaps/a',
    body: { metadata: { name: 'a', labels }, data: { k: 'old' } },
  },
  'PUT that creates': {
    status: 201,
    method: 'PUT',
    path: 'limitranges/l',
    body: { metadata: { name: 'l' } },
  },
  'PUT that removes the last finalizer of a deleted object': {
    method: 'PUT',
    path: 'configmaps/going',
    body: map('going'),
  },
  'PUT of nothing there': { status: 404, method: 'PUT', path: 'configmaps/none', body: map('none') },
  'merge patch': { method: 'PATCH', path: 'configmaps/a', body: { data: { k: 'new' } }, type: MERGE },
  'JSON patch': {
    method: 'PATCH',
    path: 'configmaps/a',
    body: [{ op: 'replace', path: '/data/k', value: 'new' }],
    type: JSON_PATCH,
  },
  'strategic merge patch': {
    method: 'PATCH',
    path: 'configmaps/a',
    body: { data: { k: 'new' } },
    type: STRATEGIC,
  },
  apply: { method: 'PATCH', path: 'configmaps/a?fieldManager=m&force=true', body: applied('a'), type: APPLY },
  'apply that creates': {
    status: 201,
    method: 'PATCH',
    path: 'configmaps/new?fieldManager=m',
    body: applied('new'),
    type: APPLY,
  },
  'apply that conflicts': {
    status: 409,
    method: 'PATCH',
    path: 'configmaps/a?fieldManager=m',
    body: applied('a'),
    type: APPLY,
  },
  DELETE: { method: 'DELETE', path: 'configmaps/a' },
  'DELETE with a precondition': {
    status: 409,
    method: 'DELETE',
    path: 'configmaps/a',
    body: { preconditions: { uid: 'another' } },
  },
  'DELETE of what finalizers keep': { method: 'DELETE', path: 'configmaps/kept' },
  'DELETE of a pod with a grace period': {
    method: 'DELETE',
    path: 'pods/placed',
    body: { gracePeriodSeconds: 10 },
  },
  'DELETE in the foreground': {
    method: 'DELETE',
    path: 'deployments/d',
    body: { propagationPolicy: 'Foreground' },
    api: apps,
  },
  'DELETE of a collection': { method: 'DELETE', path: 'configmaps?labelSelector=a%3Db' },
  'DELETE of Services': { method: 'DELETE', path: 'services' },
  'PUT of a status': {
    method: 'PUT',
    path: 'pods/p/status',
    body: { metadata: { name: 'p' }, status: { phase: 'Running' } },
  },
  'patch of a status': {
    method: 'PATCH',
    path: 'deployments/d/status',
    body: { status: { replicas: 3 } },
    type: MERGE,
    api: apps,
  },
  'PUT of a scale': { method: 'PUT', path: 'deployments/d/scale', body: scale, api: apps },
  'patch of a scale': {
    method: 'PATCH',
    path: 'deployments/d/scale',
    body: { spec: { replicas: 3 } },
    type: MERGE,
    api: apps,
  },
  'apply of a scale': {
    method: 'PATCH',
    path: 'deployments/d/scale?fieldManager=m&force=true',
    body: scale,
    type: APPLY,
    api: apps,
  },
  'ephemeral containers': {
    method: 'PATCH',
    path: 'pods/p/ephemeralcontainers',
    body: { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
    type: STRATEGIC,
  },
  eviction: { status: 201, method: 'POST', path: 'pods/p/eviction', body: eviction },
  'eviction that a budget counts': {
    status: 201,
    method: 'POST',
    path: 'pods/placed/eviction',
    body: { ...eviction, metadata: { name: 'placed' } },
  },
  binding: { status: 201, method: 'POST', path: 'pods/q/binding', body: binding },
  'binding in the collection': { status: 201, method: 'POST', path: 'bindings', body: binding },
  token: { status: 201, method: 'POST', path: 'serviceaccounts/s/token', body: { spec: {} } },
};

const WRITING_NOTHING = new Set(['PUT of the same', 'token']);

describe('dry run', () => {
  let cluster: TestCluster;
  let namespace: string;
  beforeAll(async () => {
    cluster = await startCluster({
      controllers: ['-*'],
      disableAdmissionPlugins: ['ServiceAccount'],
      serviceClusterIpRange: '10.0.0.0/28',
    });
    // The server has written its own objects: later revisions come from the tests.
    await vi.waitFor(async () => {
      const { object } = await send({
        method: 'GET',
        path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
      });
      expect(
        object.items.every(
          ({ status }: { status: { conditions?: unknown } }) => status.conditions !== undefined,
        ),
      ).toBe(true);
    });
  });
  afterAll(() => cluster.stop());

  const send = async ({ method, path, body, type = 'application/json' }: Request): Promise<Answer> => {
    const response = await cluster.fetch(path, { method, body, headers: { 'content-type': type } });
    return { status: response.status, object: await response.json() };
  };
  const within = ({ path, api = '/api/v1', ...rest }: Request): Request => ({
    ...rest,
    path: `${api}/namespaces/${namespace}/${path}`,
  });
  const real = (request: Request) => send(within(request));
  const dry = (request: Request) => {
    const { path, ...rest } = within(request);
    // The body of a deletion replaces its query.
    if (rest.method === 'DELETE' && rest.body !== undefined)
      return send({ ...rest, path, body: { ...(rest.body as object), dryRun: ['All'] } });
    return send({ ...rest, path: `${path}${path.includes('?') ? '&' : '?'}dryRun=All` });
  };
  const post = (path: string, body: unknown, api?: string) =>
    real({ method: 'POST', path, body, ...(api === undefined ? {} : { api }) });
  const merge = (path: string, body: unknown, api?: string) =>
    real({ method: 'PATCH', path, body, type: MERGE, ...(api === undefined ? {} : { api }) });

  const KINDS: [api: string, resource: string][] = [
    ['/api/v1', 'configmaps'],
    ['/api/v1', 'pods'],
    ['/api/v1', 'services'],
    ['/api/v1', 'limitranges'],
    [apps, 'deployments'],
    ['/apis/policy/v1', 'poddisruptionbudgets'],
  ];
  const everything = () =>
    Promise.all(KINDS.map(async ([api, path]) => (await real({ method: 'GET', path, api })).object.items));

  beforeEach(async () => {
    namespace = await cluster.createNamespace('dry');
    await post('configmaps', { metadata: { name: 'a', labels }, data: { k: 'old' } });
    await post('configmaps', { metadata: { name: 'kept', finalizers: ['example.com/x'] } });
    await post('configmaps', { metadata: { name: 'going', finalizers: ['example.com/x'] } });
    await real({ method: 'DELETE', path: 'configmaps/going' });
    await post('deployments', deployment, apps);
    for (const name of ['p', 'q']) await post('pods', { metadata: { name }, spec: podSpec });
    await post('pods', { metadata: { name: 'placed', labels }, spec: { ...podSpec, nodeName: 'n' } });
    await merge('pods/placed/status', { status: { phase: 'Running' } });
    await post(
      'poddisruptionbudgets',
      { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: labels } } },
      '/apis/policy/v1',
    );
    const status = {
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
      observedGeneration: 1,
    };
    await merge('poddisruptionbudgets/b/status', { status }, '/apis/policy/v1');
    await post('services', { metadata: { name: 'v' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } });
    await post('serviceaccounts', { metadata: { name: 's' } });
  });

  it.each(Object.entries(writes))(
    'of %s returns the response of the real request, and changes nothing',
    async (name, request) => {
      const stored = await everything();
      const tried = await dry(request);
      // The options of a deletion may be in its body.
      if (request.method === 'DELETE')
        expect(
          (await real({ ...request, body: { ...(request.body as object), dryRun: ['All'] } })).status,
        ).toBe(tried.status);
      expect(await everything()).toEqual(stored);
      const done = await real(request);
      expect(done.status).toBe(request.status ?? 200);
      const isUnchanged = isDeepStrictEqual(await everything(), stored);
      expect(isUnchanged).toBe(done.status > 400 || WRITING_NOTHING.has(name));
      expect([tried.status, shapeOf(tried.object)]).toEqual([done.status, shapeOf(done.object)]);
    },
  );

  it('sends no watch event', async () => {
    const controller = new AbortController();
    const watches = await Promise.all(
      KINDS.map(([api, resource]) =>
        cluster.fetch(`${api}/namespaces/${namespace}/${resource}?watch=1&resourceVersion=0`, {
          signal: controller.signal,
        }),
      ),
    );
    const known = (await everything()).map((items) => items.length);
    for (const request of Object.values(writes)) await dry(request);
    await post('configmaps', map('end'));
    await post('pods', { metadata: { name: 'end' }, spec: podSpec });
    await post('services', { metadata: { name: 'end' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } });
    await post('limitranges', { metadata: { name: 'end' } });
    await post('deployments', { ...deployment, metadata: { name: 'end' } }, apps);
    await post('poddisruptionbudgets', { metadata: { name: 'end' } }, '/apis/policy/v1');
    for (const [index, watch] of watches.entries()) {
      const seen: string[] = [];
      let text = '';
      for await (const chunk of watch.body!) {
        text += Buffer.from(chunk).toString();
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
          const { type, object } = JSON.parse(text.slice(0, end));
          seen.push(`${type} ${object.metadata.name}`);
          text = text.slice(end + 1);
        }
        if (seen.includes('ADDED end')) break;
      }
      expect([KINDS[index]![1], seen.length, seen.at(-1)]).toEqual([
        KINDS[index]![1],
        known[index]! + 1,
        'ADDED end',
      ]);
      expect(seen.every((event) => event.startsWith('ADDED '))).toBe(true);
    }
    controller.abort();
  });

  describe('of a Service', () => {
    const service = (name: string, spec: object) => ({
      metadata: { name },
      spec: { ports: [{ port: 80 }], ...spec },
    });
    const tryPost = (body: unknown) => dry({ method: 'POST', path: 'services', body });
    const tryPut = (name: string, spec: object) =>
      dry({ method: 'PUT', path: `services/${name}`, body: service(name, spec) });
    const fixed = (nodePort: number) => ({
      type: 'NodePort',
      clusterIP: '10.0.0.9',
      ports: [{ port: 80, nodePort }],
    });

    it('does not allocate a requested address and port', async () => {
      const tried = await tryPost(service('x', fixed(30_500)));
      expect([tried.status, tried.object.spec.clusterIP, tried.object.spec.ports[0].nodePort]).toEqual([
        201,
        '10.0.0.9',
        30_500,
      ]);
      expect(
        (await dry({ method: 'PUT', path: 'services/w', body: service('w', fixed(30_500)) })).status,
      ).toBe(201);
      expect((await post('services', service('y', fixed(30_500)))).status).toBe(201);
      // As in kube-apiserver, a dry run looks whether ports are free, but not addresses.
      expect((await tryPost(service('z', fixed(30_501)))).status).toBe(201);
      const taken = await tryPost(service('z', fixed(30_500)));
      expect([taken.status, taken.object.message]).toEqual([
        422,
        expect.stringContaining('provided port is already allocated'),
      ]);
      const alone = await post('services', service('z', { ...fixed(30_501), clusterIP: undefined }));
      expect(alone.status).toBe(201);
      await real({ method: 'DELETE', path: 'services' });
    });

    it('allocates nothing, even when repeated', async () => {
      for (let index = 0; index < 40; index += 1)
        expect((await tryPost(service(`x${index}`, { type: 'NodePort' }))).status).toBe(201);
      const { status, object } = await post('services', service('y', { type: 'ClusterIP' }));
      expect([status, object.spec.clusterIP]).toEqual([201, expect.stringMatching(/^10\.0\.0\.\d+$/)]);
      for (let index = 0; index < 40; index += 1)
        expect((await tryPut('y', { type: 'NodePort' })).status).toBe(200);
      expect((await real({ method: 'GET', path: 'services/y' })).object).toEqual(object);
      await real({ method: 'DELETE', path: 'services' });
    });

    it('releases nothing', async () => {
      await post('services', service('y', fixed(30_502)));
      expect(
        (await tryPut('y', { type: 'ExternalName', externalName: 'example.com', clusterIP: '' })).status,
      ).toBe(200);
      expect((await dry({ method: 'DELETE', path: 'services/y' })).status).toBe(200);
      expect((await dry({ method: 'DELETE', path: 'services' })).status).toBe(200);
      expect((await post('services', service('z', { clusterIP: '10.0.0.9' }))).status).toBe(422);
      const port = await post(
        'services',
        service('z', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_502 }] }),
      );
      expect([port.status, port.object.message]).toEqual([
        422,
        expect.stringContaining('provided port is already allocated'),
      ]);
      await real({ method: 'DELETE', path: 'services' });
    });
  });

  it('shows the defaults of the stored version, as the write would', async () => {
    const behavior = 'autoscaling.alpha.kubernetes.io/behavior';
    const scaler = (annotations: object) => ({
      metadata: { name: 'h', annotations },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
    });
    const api = '/apis/autoscaling/v1';
    const path = 'horizontalpodautoscalers';
    await real({ method: 'POST', api, path, body: scaler({}), status: 201 });
    const policies = '{"ScaleUp":{"Policies":[{"Type":"Pods","Value":3,"PeriodSeconds":4}]}}';
    const put = { method: 'PUT', api, path: `${path}/h`, body: scaler({ [behavior]: policies }) };
    const [tried, written] = [await dry(put), await real(put)];
    expect(tried.object.metadata.annotations[behavior]).toContain('"SelectPolicy":"Max"');
    expect(tried.object.metadata.annotations).toEqual(written.object.metadata.annotations);
  });

  it('returns the review of a dry-run review', async () => {
    const body = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All';
    const { status, object } = await send({ method: 'POST', path, body });
    expect([status, object.status.allowed]).toEqual([201, true]);
  });

  it('does not reserve a generated name', async () => {
    const { object } = await dry({
      method: 'POST',
      path: 'configmaps',
      body: { metadata: { generateName: 'x-' } },
    });
    const { name, resourceVersion, uid } = object.metadata;
    expect([resourceVersion, typeof uid]).toEqual([undefined, 'string']);
    expect((await real({ method: 'GET', path: `configmaps/${name}` })).status).toBe(404);
    expect((await post('configmaps', map(name))).status).toBe(201);
  });
});

/** Replaces each value with its type: a dry run cannot know versions and addresses. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'resourceVersion')
      .map(([name, member]) => [name, shapeOf(member)]),
  );
}
