import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClusterOptions, startCluster, type TestCluster } from '../../src/testing/index.ts';
import { EtcdProcesses, hasEtcd } from '../storage/etcd/etcd-process.ts';
import { FaultProxy } from '../storage/etcd/fault-proxy.ts';
import { temporaryDirectory } from '../storage/temporary.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Stored {
  metadata: { name: string; resourceVersion: string };
  data?: Record<string, string>;
}

describe.skipIf(!hasEtcd)('servers on etcd', () => {
  let etcd: EtcdProcesses;
  let proxy: FaultProxy;
  let servers: TestCluster[];
  let prefix = 0;
  let keyFile: string;
  beforeAll(async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    keyFile = join(mkdtempSync(join(tmpdir(), 'binnacle-key-')), 'key.pem');
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    etcd = await EtcdProcesses.start();
  });
  afterAll(async () => {
    rmSync(dirname(keyFile), { recursive: true });
    await etcd.stop();
  });
  beforeEach(async () => {
    proxy = await FaultProxy.start(etcd.urls[0]!);
    servers = [];
    prefix += 1;
  });
  afterEach(async () => {
    proxy.restore();
    for (const server of servers) await server.stop();
    await proxy.close();
  });

  const options = (url: string): ClusterOptions => ({
    storageBackend: 'etcd3',
    etcdServers: [url],
    etcdPrefix: `/cluster-${prefix}`,
    dataDir: temporaryDirectory(),
    serviceAccountSigningKeyFile: keyFile,
    serviceAccountIssuer: ['https://kubernetes.default.svc'],
    serviceAccountKeyFile: [keyFile],
    controllers: ['-*'],
  });
  const start = async (url: string): Promise<TestCluster> => {
    const server = await startCluster(options(url));
    servers.push(server);
    return server;
  };
  const create = async (server: TestCluster, name: string): Promise<Stored> => {
    const response = await server.fetch(MAPS, {
      method: 'POST',
      body: { metadata: { name }, data: { a: 'b' } },
    });
    expect(response.status).toBe(201);
    return (await response.json()) as Stored;
  };

  it('share their objects: reads, lists and writes are consistent', async () => {
    const first = await start(etcd.urls[0]!);
    const second = await start(etcd.urls[0]!);
    const created = await create(first, 'shared');
    const read = await second.fetch(`${MAPS}/shared`);
    expect(((await read.json()) as Stored).metadata.resourceVersion).toBe(created.metadata.resourceVersion);
    const conflict = await second.fetch(MAPS, { method: 'POST', body: { metadata: { name: 'shared' } } });
    expect(conflict.status).toBe(409);
    const update = { ...created, data: { a: 'c' } };
    const updated = await second.fetch(`${MAPS}/shared`, { method: 'PUT', body: update });
    expect(updated.status).toBe(200);
    const stale = await first.fetch(`${MAPS}/shared`, { method: 'PUT', body: update });
    expect(stale.status).toBe(409);
    const list = (await (await first.fetch(MAPS)).json()) as { items: Stored[] };
    expect(list.items.find(({ metadata }) => metadata.name === 'shared')?.data).toEqual({ a: 'c' });
    expect((await first.fetch(`${MAPS}/shared`, { method: 'DELETE' })).status).toBe(200);
    expect((await second.fetch(`${MAPS}/shared`)).status).toBe(404);
  });

  it('deliver changes of the other, through a connection that breaks', async () => {
    const first = await start(etcd.urls[0]!);
    const second = await start(proxy.url);
    const list = (await (await second.fetch(MAPS)).json()) as Stored;
    const { resourceVersion } = list.metadata;
    const controller = new AbortController();
    const watch = await second.fetch(`${MAPS}?watch=1&resourceVersion=${resourceVersion}`, {
      signal: controller.signal,
    });
    const lines = watch.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let index = 0; index < 10; index += 1) {
      if (index % 4 === 2) proxy.reset();
      await create(first, `w${index}`);
    }
    let text = '';
    while (text.split('\n').length <= 10) text += (await lines.read()).value;
    const names = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: Stored })
      .map(({ type, object }) => `${type} ${object.metadata.name}`);
    expect(names).toEqual(Array.from({ length: 10 }, (_, index) => `ADDED w${index}`));
    controller.abort();
    await lines.closed.catch(() => undefined);
  });

  it('keep objects across a restart', async () => {
    const first = await start(etcd.urls[0]!);
    const created = await create(first, 'kept');
    await first.stop();
    servers = [];
    const second = await start(etcd.urls[0]!);
    const read = (await (await second.fetch(`${MAPS}/kept`)).json()) as Stored;
    expect(read.metadata).toEqual(created.metadata);
  });

  it('without etcd: stale reads are answered, others and writes get an error, readiness fails', async () => {
    const server = await start(proxy.url);
    await create(server, 'seen');
    expect((await server.fetch(`${MAPS}/seen`)).status).toBe(200);
    proxy.cut();
    const stale = await server.fetch(`${MAPS}/seen?resourceVersion=0`);
    expect(stale.status).toBe(200);
    expect([503, 504]).toContain((await server.fetch(`${MAPS}/seen`)).status);
    expect((await server.fetch('/readyz')).status).toBe(500);
    proxy.restore();
    expect((await server.fetch(`${MAPS}/seen`)).status).toBe(200);
    await create(server, 'later');
  });

  it('wait for etcd at the start, and answer health checks meanwhile', async () => {
    proxy.cut();
    const log: string[] = [];
    let waiting: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const starting = startCluster({
      ...options(proxy.url),
      etcdReadycheckTimeout: 300,
      log: (line) => {
        log.push(line);
        if (line.includes('waiting for the storage')) waiting();
      },
    });
    await waits;
    expect(log.join('')).toContain('etcd does not answer');
    proxy.restore();
    servers.push(await starting);
    expect((await servers[0]!.fetch('/livez')).status).toBe(200);
  });
});
