import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { watchUntil } from '../../support/watch-until.ts';
import { Api } from '../api.ts';
import { DEFINITIONS, define } from '../definitions.ts';

type Quota = KubernetesObject & { status?: { hard?: Record<string, string>; used?: Record<string, string> } };

describe('resource quotas', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  const call = async (method: string, path: string, body?: object) => {
    const response = await cluster.fetch(path, { method, ...(body === undefined ? {} : { body }) });
    return { status: response.status, body: (await response.json()) as Quota & { message?: string } };
  };
  /** Resolves with the first state of the quota that shows this use. */
  const used = (namespace: string, expected: Record<string, string>): Promise<Quota> =>
    watchUntil<Quota>(cluster, `/api/v1/namespaces/${namespace}/resourcequotas`, ({ status }) =>
      Object.entries(expected).every(([name, amount]) => status?.used?.[name] === amount),
    );

  it('are counted, enforced under concurrency, and released', async () => {
    const namespace = await cluster.createNamespace();
    const maps = `/api/v1/namespaces/${namespace}/configmaps`;
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await call('POST', secrets, { metadata: { name: 'before' } });
    await call('POST', `/api/v1/namespaces/${namespace}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { secrets: '5', 'count/deployments.apps': '1', pods: '0' } },
    });
    await used(namespace, { secrets: '1', 'count/deployments.apps': '0', pods: '0' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call('POST', secrets, { metadata: { name: `s${index}` } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(answers.find(({ status }) => status === 403)!.body.message).toContain(
      'is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=5, limited: secrets=5',
    );
    expect((await call('POST', maps, { metadata: { name: 'free' } })).status).toBe(201);
    expect((await call('POST', `${secrets}?dryRun=All`, { metadata: { name: 'dry' } })).status).toBe(403);
    await call('DELETE', `${secrets}/before`);
    await used(namespace, { secrets: '4' });
    expect((await call('POST', secrets, { metadata: { name: 'after' } })).status).toBe(201);
  });

  it('count custom objects while their kind appears, goes and comes back', async () => {
    const api = new Api(cluster);
    const namespace = await cluster.createNamespace();
    const things = `/apis/example.com/v1/namespaces/${namespace}/things`;
    const name = 'count/things.example.com';
    const create = (thing: string) =>
      call('POST', things, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: thing } });
    await call('POST', `/api/v1/namespaces/${namespace}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { [name]: '2' } },
    });
    await used(namespace, { [name]: '0' });
    await define(api, 'things', 'Thing');
    expect((await create('one')).status).toBe(201);
    expect((await create('two')).status).toBe(201);
    const refused = await create('three');
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining(`exceeded quota: q, requested: ${name}=1, used: ${name}=2, limited: ${name}=2`),
    ]);
    await call('DELETE', `${things}/one`);
    await used(namespace, { [name]: '1' });
    expect((await create('three')).status).toBe(201);
    await call('DELETE', `${DEFINITIONS}/things.example.com`);
    await used(namespace, { [name]: '0' });
    await api.gone(DEFINITIONS, 'things.example.com');
    await define(api, 'things', 'Thing');
    expect((await create('four')).status).toBe(201);
    await call('DELETE', `${things}/four`);
    await used(namespace, { [name]: '0' });
  });

  it('count custom objects that existed before the quota', async () => {
    const api = new Api(cluster);
    const namespace = await cluster.createNamespace();
    await define(api, 'olds', 'Old');
    const olds = `/apis/example.com/v1/namespaces/${namespace}/olds`;
    for (const name of ['a', 'b', 'c'])
      await call('POST', olds, { apiVersion: 'example.com/v1', kind: 'Old', metadata: { name } });
    await call('POST', `/api/v1/namespaces/${namespace}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { 'count/olds.example.com': '5' } },
    });
    await used(namespace, { 'count/olds.example.com': '3' });
    await call('DELETE', olds);
    await used(namespace, { 'count/olds.example.com': '0' });
  });
});
