import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

interface Line {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly version: string;
}

describe('clusters over HTTP', () => {
  let server: TestCluster;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-clusters-'));
    const policy = join(directory, 'policy.yaml');
    writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: RequestResponse }]\n');
    server = await startCluster({
      clusters: true,
      auditPolicyFile: policy,
      auditLogPath: join(directory, 'audit.log'),
      auditLogMode: 'blocking',
      v: 3,
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  const call = async <Body>(
    path: string,
    method = 'GET',
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: Body; headers: Headers }> => {
    const response = await server.fetch(path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) as Body, headers: response.headers };
  };
  const create = async (body: unknown = {}): Promise<Line> =>
    (await call<Line>('/clusters', 'POST', body)).body;
  const remove = (name: string) => call<{ message: string }>(`/clusters/${name}?cascade=true`, 'DELETE');

  it('are created with the line of the start contract, which nobody may keep', async () => {
    const { status, body, headers } = await call<Line>('/clusters', 'POST', { name: 'a' });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toMatchObject({ name: 'a', url: `${server.url}/clusters/a`, ca: server.caBundle });
    const authorization = { authorization: `Bearer ${body.token}` };
    expect(
      (await call('/clusters/a/api/v1/namespaces/default', 'GET', undefined, authorization)).status,
    ).toBe(200);
    expect((await call('/api/v1/namespaces/default', 'GET', undefined, authorization)).status).toBe(401);
    const audit = readFileSync(join(directory, 'audit.log'), 'utf8');
    expect(audit).toContain('"requestURI":"/clusters/a/api/v1/namespaces/default"');
    expect(audit).not.toContain(body.token);
    expect(server.log.join('')).not.toContain(body.token);
    expect((await call('/clusters', 'POST', { name: 'a' })).status).toBe(409);
    await remove('a');
    expect((await call('/clusters/a')).status).toBe(404);
  });

  it('are listed, shown and forked; parents are deleted last', async () => {
    const parent = await create();
    const child = await create({ from: parent.name });
    const list = await call<{ lifetime: string; clusters: { name: string; from?: string }[] }>('/clusters');
    expect(list.body.lifetime).toContain('end with the process');
    expect(list.body.clusters.map(({ name, from }) => [name, from])).toEqual([
      [parent.name, undefined],
      [child.name, parent.name],
    ]);
    expect((await call<object>(`/clusters/${child.name}`)).body).toMatchObject({ from: parent.name });
    const refused = await call<{ message: string }>(`/clusters/${parent.name}`, 'DELETE');
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining(`${child.name} was forked from it`),
    ]);
    expect((await remove(parent.name)).status).toBe(200);
    expect((await call<{ clusters: [] }>('/clusters')).body.clusters).toEqual([]);
  });

  it('are reset, and have a time', async () => {
    const { name, token } = await create();
    const maps = `/clusters/${name}/api/v1/namespaces/default/configmaps`;
    const authorization = { authorization: `Bearer ${token}` };
    expect((await call(maps, 'POST', { metadata: { name: 'a' } }, authorization)).status).toBe(201);
    expect((await call(`/clusters/${name}/reset`, 'POST')).status).toBe(200);
    expect((await call(`${maps}/a`, 'GET', undefined, authorization)).status).toBe(404);
    const clock = (change: object) =>
      call<{ now: string; message: string }>(`/clusters/${name}/clock`, 'POST', change);
    expect((await clock({ freeze: true })).body).toMatchObject({ frozen: true });
    expect((await clock({ set: '2040-01-01T00:00:00Z' })).body.now).toBe('2040-01-01T00:00:00.000Z');
    expect((await clock({ advance: '90m' })).body.now).toBe('2040-01-01T01:30:00.000Z');
    expect((await clock({ run: true })).body).toMatchObject({ frozen: false });
    for (const [change, message] of [
      [{}, 'give one of advance, freeze, set, run'],
      [{ advance: 'x' }, 'x is no duration'],
      [{ freeze: 1 }, 'freeze must be true'],
      [{ __proto__: null, go: 1 }, 'unknown member "go"'],
    ] as const) {
      const { status, body } = await clock(change);
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    }
    await remove(name);
  });

  it('show a past state of another one', async () => {
    const { name } = await create();
    const { revision } = (await call<{ revision: string }>(`/clusters/${name}`)).body;
    const past = await create({ from: name, at: revision });
    expect((await call<object>(`/clusters/${past.name}`)).body).toMatchObject({ readOnly: true, revision });
    expect((await call('/clusters', 'POST', { from: name, at: 1 })).status).toBe(410);
    await remove(name);
  });

  it('begin with the state of the first one', async () => {
    await call('/api/v1/namespaces', 'POST', { metadata: { name: 'shared' } });
    const { name, token } = await create({ from: 'first' });
    const authorization = { authorization: `Bearer ${token}` };
    expect(
      (await call(`/clusters/${name}/api/v1/namespaces/shared`, 'GET', undefined, authorization)).status,
    ).toBe(200);
    await remove(name);
  });

  it('have a version of their own', async () => {
    const { name, version } = await create({ kubernetesVersion: '1.34' });
    expect(version).toMatch(/^1\.34\./);
    await remove(name);
  });

  it('end by themselves', async () => {
    const { name } = await create({ expires: '1ms' });
    await expect.poll(async () => (await call(`/clusters/${name}`)).status).toBe(404);
  });

  it.each([
    [{ name: 'A' }, 400, 'DNS label'],
    [{ name: 'first' }, 409, 'already exists'],
    [{ name: 1 }, 400, 'name must be a text'],
    [{ from: 'unknown' }, 404, '"unknown" not found'],
    [{ at: 1 }, 400, 'at needs from'],
    [{ from: 'first', simulateNodes: 1 }, 400, 'has its version and its nodes'],
    [{ simulateNodes: 'x' }, 400, 'simulateNodes must be a whole number'],
    [{ simulateNodes: -1 }, 400, '--simulate-nodes'],
    [{ kubernetesVersion: '1.2' }, 400, '--kubernetes-version'],
    [{ expires: '-1h' }, 400, 'is no duration'],
    [{ expires: '2000-01-01T00:00:00Z' }, 400, 'must be in the future'],
    [{ size: 1 }, 400, 'unknown member "size"'],
    ['[', 400, 'not JSON'],
    ['[]', 400, 'not a JSON object'],
    [' '.repeat(65_537), 413, 'limit is 65536'],
  ])('refuse %j with %i', async (request, status, message) => {
    const answer = await call<{ message: string }>('/clusters', 'POST', request);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)]);
  });

  it('are for those whom RBAC of the first cluster permits it', async () => {
    const as = { 'impersonate-user': 'jane' };
    expect((await call('/clusters', 'GET', undefined, as)).status).toBe(403);
    expect((await call('/clusters', 'POST', {}, as)).status).toBe(403);
    await call('/apis/rbac.authorization.k8s.io/v1/clusterroles', 'POST', {
      metadata: { name: 'readers' },
      rules: [{ nonResourceURLs: ['/clusters', '/clusters/*'], verbs: ['get'] }],
    });
    await call('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', 'POST', {
      metadata: { name: 'readers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'readers' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
    });
    expect((await call('/clusters', 'GET', undefined, as)).status).toBe(200);
    expect((await call('/clusters', 'POST', {}, as)).status).toBe(403);
  });

  it('do not serve the paths of clusters', async () => {
    const { name, token } = await create();
    const authorization = { authorization: `Bearer ${token}` };
    expect((await server.fetch(`/clusters/${name}/clusters`, { headers: authorization })).status).toBe(404);
    expect((await server.fetch(`/clusters/${name}/debug/pprof/`, { headers: authorization })).status).toBe(
      404,
    );
    await remove(name);
  });
});

describe('the paths of clusters', () => {
  it('are off by default', async () => {
    await using server = await startCluster();
    expect((await server.fetch('/clusters')).status).toBe(404);
    expect((await server.fetch('/clusters', { method: 'POST', body: {} })).status).toBe(404);
  });

  it('are refused on a data directory and on etcd', async () => {
    await expect(startCluster({ clusters: true, storageBackend: 'embedded' })).rejects.toThrow(
      '--clusters needs objects in memory, and this server keeps them in a data directory',
    );
    await expect(
      startCluster({ clusters: true, storageBackend: 'etcd3', etcdServers: ['http://127.0.0.1:1'] }),
    ).rejects.toThrow('keeps them in etcd');
  });
});
