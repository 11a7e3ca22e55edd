import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FaultRule, startCluster, type TestCluster } from '../../src/testing/index.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

describe('faults of a cluster', () => {
  let template: TestCluster;
  let cluster: TestCluster;
  beforeAll(async () => {
    template = await startCluster();
    await template.quiescent();
    cluster = await template.fork();
  });
  afterEach(() => cluster.faults.clear());
  afterAll(() => template.stop());

  let last = 0;
  const body = () => {
    last += 1;
    return { metadata: { name: `m${last}` } };
  };
  const post = () => cluster.fetch(MAPS, { method: 'POST', body: body() });
  const only = (rule: FaultRule): void => void cluster.faults.add({ resources: ['configmaps'], ...rule });

  it.each([
    [409, 'Conflict', null],
    [429, 'TooManyRequests', '7'],
    [500, 'InternalError', null],
    [503, 'ServiceUnavailable', '7'],
  ] as const)('refuse with %i', async (status, reason, retryAfter) => {
    only({ status, retryAfter: 7, count: 1, verbs: ['create'] });
    const refused = await post();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(await refused.json()).toMatchObject({ kind: 'Status', reason });
    expect((await cluster.fetch(`${MAPS}/m${last}`)).status).toBe(404);
    expect((await post()).status).toBe(201);
    expect(cluster.faults.list()).toMatchObject([{ matched: 2, injected: 1 }]);
  });

  it('cut the connection before anything is done, or lose the answer of what was', async () => {
    only({ cut: 'before', count: 1, verbs: ['create'] });
    await expect(post()).rejects.toThrow();
    expect((await cluster.fetch(`${MAPS}/m${last}`)).status).toBe(404);
    only({ cut: 'after', count: 1, verbs: ['create'] });
    await expect(post()).rejects.toThrow();
    expect((await cluster.fetch(`${MAPS}/m${last}`)).status).toBe(200);
  });

  it('delay a request', async () => {
    only({ delay: '30ms', verbs: ['get'] });
    const begin = performance.now();
    expect((await cluster.fetch(`${MAPS}/kube-root-ca.crt`)).status).toBe(200);
    expect(performance.now() - begin).toBeGreaterThan(25);
  });

  it('end a watch, and delay its events in their order', async () => {
    only({ endWatch: 0 });
    // The body ends.
    await (await cluster.fetch(`${MAPS}?watch=1&resourceVersion=0`)).text();
    cluster.faults.clear();
    only({ delayEvents: '20ms' });
    const { resourceVersion } = (
      (await (await cluster.fetch(MAPS)).json()) as { metadata: { resourceVersion: string } }
    ).metadata;
    const watch = await cluster.fetch(`${MAPS}?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=1`);
    const begin = performance.now();
    await post();
    await post();
    const reader = watch.body!.getReader();
    let text = '';
    while (!text.includes(`"m${last}"`)) text += Buffer.from((await reader.read()).value!).toString();
    expect(text.indexOf(`"m${last - 1}"`)).toBeLessThan(text.indexOf(`"m${last}"`));
    expect(performance.now() - begin).toBeGreaterThan(15);
    await reader.cancel();
  });

  it('let a version expire', async () => {
    only({ expire: true, count: 1, verbs: ['watch'] });
    const { status } = await cluster.fetch(`${MAPS}?watch=1&resourceVersion=1`);
    expect(status).toBe(410);
  });

  it('serve a stale list', async () => {
    await post();
    const version = async (): Promise<{ metadata: { resourceVersion: string } }> =>
      (await (await cluster.fetch(`${MAPS}?resourceVersion=0&limit=500`)).json()) as never;
    const present = Number((await version()).metadata.resourceVersion);
    only({ stale: 1 });
    expect(Number((await version()).metadata.resourceVersion)).toBe(present - 1);
    const read = await cluster.fetch(`${MAPS}?limit=500`);
    expect(((await read.json()) as Awaited<ReturnType<typeof version>>).metadata.resourceVersion).toBe(
      String(present),
    );
  });

  it('fail the calls of a webhook', async () => {
    await using own = await cluster.fork();
    own.faults.add({ webhook: 'maps.example.com', count: 1 });
    const webhook = {
      name: 'maps.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    };
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    await own.fetch(path, { method: 'POST', body: { metadata: { name: 'a' }, webhooks: [webhook] } });
    const texts: string[] = [];
    for (const name of ['a', 'b'])
      texts.push(await (await own.fetch(MAPS, { method: 'POST', body: { metadata: { name } } })).text());
    const expected = (text: string) =>
      expect.stringContaining(`failed calling webhook \\"maps.example.com\\": ${text}`);
    expect(texts[0]).toEqual(expected('failed to call webhook: a rule of --faults fails the call'));
    expect(texts[1]).not.toContain('--faults');
    expect(own.faults.list()).toMatchObject([{ matched: 2, injected: 1 }]);
  });

  it('are those of one cluster', async () => {
    only({ status: 500 });
    await using other = await cluster.fork();
    expect(other.faults.list()).toEqual([]);
    expect((await other.fetch(MAPS)).status).toBe(200);
    expect((await template.fetch(MAPS)).status).toBe(200);
    expect((await cluster.fetch(MAPS)).status).toBe(500);
  });

  it("spare the server's controllers", async () => {
    cluster.faults.add({ status: 500 });
    cluster.faults.clear();
    cluster.faults.add({ status: 500, verbs: ['create'], resources: ['serviceaccounts'] });
    const namespace = await cluster.createNamespace();
    await cluster.quiescent();
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    expect((await cluster.fetch(`${path}/default`)).status).toBe(200);
    expect((await cluster.fetch(path, { method: 'POST', body: body() })).status).toBe(500);
  });
});

describe('faults over HTTP', () => {
  it('are listed, added and removed, for the first cluster and for others', async () => {
    await using server = await startCluster({ clusters: true, faults: true });
    const { name } = (await (await server.fetch('/clusters', { method: 'POST' })).json()) as { name: string };
    for (const path of ['/faults', `/clusters/${name}/faults`]) {
      const added = await server.fetch(path, { method: 'POST', body: { status: 503, resources: ['nodes'] } });
      expect(await added.json()).toEqual({ id: '1' });
      const listed = (await (await server.fetch(path)).json()) as { faults: object[] };
      expect(listed.faults).toEqual([
        { id: '1', rule: { status: 503, resources: ['nodes'] }, matched: 0, injected: 0 },
      ]);
      expect((await server.fetch(`${path}?id=2`, { method: 'DELETE' })).status).toBe(404);
      if (path === '/faults') expect((await server.fetch('/api/v1/nodes')).status).toBe(503);
      expect((await server.fetch(path, { method: 'DELETE' })).status).toBe(200);
      const refused = await server.fetch(path, { method: 'POST', body: { status: 404 } });
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining('status must be'),
      ]);
    }
  });

  it('are read from a file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-faults-'));
    const file = join(directory, 'faults.yaml');
    writeFileSync(file, '- { status: 503, resources: [nodes], count: 1 }\n');
    await using server = await startCluster({ faults: true, faultsFile: file });
    expect((await server.fetch('/api/v1/nodes')).status).toBe(503);
    expect((await server.fetch('/api/v1/nodes')).status).toBe(200);
    writeFileSync(file, '- { status: 404 }\n');
    await expect(startCluster({ faults: true, faultsFile: file })).rejects.toThrow(
      'failed to read the faults of',
    );
    rmSync(directory, { recursive: true });
  });

  it('are off by default, and for loopback addresses', async () => {
    await using server = await startCluster();
    expect((await server.fetch('/faults')).status).toBe(404);
    await expect(startCluster({ faults: true, bindAddress: '0.0.0.0' })).rejects.toThrow(
      '--faults is refused on 0.0.0.0, which other machines may reach',
    );
    await expect(startCluster({ faultsFile: 'x' })).rejects.toThrow('need --faults');
  });
});
