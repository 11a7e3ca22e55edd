import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { configurations, configure, create, webhook } from '../admission/webhook/support.ts';
import { closedPort } from '../outbound/servers.ts';

const EVERYTHING = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];
const TYPES = ['Mutating', 'Validating'] as const;

describe('fail-closed webhooks for everything whose backend is dead', () => {
  let files: TemporaryDirectory;
  let cluster: TestCluster | undefined;
  beforeEach(() => {
    files = new TemporaryDirectory();
  });
  afterEach(async () => {
    await cluster?.stop();
    files.remove();
  });

  const start = async (controllers: string[]) => {
    cluster = await startCluster({
      storageBackend: 'embedded',
      dataDir: files.path('data'),
      controllers,
    });
    return cluster;
  };

  it('do not keep the server from starting, and can be deleted', async () => {
    const before = await start(['-*']);
    const port = await closedPort();
    for (const type of TYPES) await configure(before, type, 'dead', webhook(port, { rules: EVERYTHING }));
    const authentication = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    const schema = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/catch-all';
    expect((await create(before, 'x')).status).toBe(500);
    await before.stop();

    const after = await start(['-*']);
    expect((await after.fetch('/readyz')).status).toBe(200);
    expect((await create(after, 'x')).status).toBe(500);
    for (const type of TYPES)
      expect((await after.fetch(`${configurations(type)}/dead`, { method: 'DELETE' })).status).toBe(200);
    expect((await create(after, 'x')).status).toBe(201);
    for (const path of [authentication, schema, '/api/v1/namespaces/default/endpoints/kubernetes'])
      expect([path, (await after.fetch(path)).status]).toEqual([path, 200]);
  });

  it('do not keep the control loops of the server from writing what they maintain', async () => {
    const running = await start(['-*']);
    const definition = {
      metadata: { name: 'things.example.test' },
      spec: {
        group: 'example.test',
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    };
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const writes = [{ ...EVERYTHING[0], operations: ['UPDATE', 'DELETE'] }];
    await configure(running, 'Validating', 'dead', webhook(await closedPort(), { rules: writes }));
    expect((await running.fetch(path, { method: 'POST', body: definition })).status).toBe(201);
    await vi.waitFor(async () => {
      const stored = await (await running.fetch(`${path}/things.example.test`)).text();
      expect(stored).toContain('"type":"Established","status":"True"');
    });
  });

  it('stop the deletion of a namespace, whose conditions say why', async () => {
    const running = await start(['namespace-controller']);
    const namespace = await running.createNamespace('stuck');
    const map = { metadata: { name: 'kept' } };
    const maps = `/api/v1/namespaces/${namespace}/configmaps`;
    expect((await running.fetch(maps, { method: 'POST', body: map })).status).toBe(201);
    const deletions = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] },
    ];
    await configure(running, 'Validating', 'dead', webhook(await closedPort(), { rules: deletions }));
    await running.fetch(`/api/v1/namespaces/${namespace}`, { method: 'DELETE' });
    await vi.waitFor(async () => {
      const stored = await (await running.fetch(`/api/v1/namespaces/${namespace}`)).text();
      expect(stored).toContain('failed calling webhook \\"hook.example.test\\"');
    });
    await running.fetch(`${configurations('Validating')}/dead`, { method: 'DELETE' });
  });
});
