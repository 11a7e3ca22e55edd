import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseAllocationRange } from '../../src/allocation/allocation-range.ts';
import { ServiceAllocator } from '../../src/allocation/service-allocator.ts';
import { StoredNumberPool } from '../../src/allocation/stored-number-pool.ts';
import type { Service } from '../../src/model/generated/core-v1.ts';
import { concurrently } from '../../src/storage/etcd/concurrently.ts';
import { KeyMapper } from '../../src/storage/etcd/keys.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { AnswerProxy, type Fate } from '../storage/etcd/answer-proxy.ts';
import { EtcdProcesses, hasEtcd } from '../storage/etcd/etcd-process.ts';
import { openEtcd } from '../storage/etcd/open-etcd.ts';
import { temporaryDirectory } from '../storage/temporary.ts';

interface Stored {
  metadata: { name: string; uid: string; labels?: Record<string, string> };
}
interface Event {
  readonly type: string;
  readonly object: Stored;
}

const RANGE = '10.0.0.0/24';
/** Where objects of a kind are, how many are lost, and what they contain. */
const KINDS = [
  { path: '/api/v1/namespaces/default/configmaps', count: 200, content: { data: { a: 'b' } } },
  {
    path: '/api/v1/namespaces/default/services',
    count: 100,
    content: { spec: { type: 'NodePort', ports: [{ port: 80 }] } },
  },
  // Stored under a lease of etcd.
  {
    path: '/api/v1/namespaces/default/events',
    count: 100,
    content: { involvedObject: { namespace: 'default' } },
  },
  {
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    count: 100,
    content: { spec: { holderIdentity: 'one' } },
  },
];
const [, SERVICES] = KINDS as [unknown, (typeof KINDS)[number]];

/** Sends a request; returns the status and the body. */
async function send(server: TestCluster, method: string, path: string, body?: unknown) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await server.fetch(path, {
    method,
    headers: { 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    body: (await response.json()) as Stored & { reason?: string; message?: string },
  };
}

/** A text about an answer that has another status. */
const failureOf = ({ status, body }: Awaited<ReturnType<typeof send>>, expected: number): string[] =>
  status === expected ? [] : [`${status} ${body.reason} ${body.message}`];

/** Watches the objects of a path from now on, until an object named `last` is added. */
async function follow(
  server: TestCluster,
  path: string,
  onEvent: (event: Event) => void,
): Promise<{ ended: Promise<void> }> {
  const list = await server.fetch(path);
  expect(list.status).toBe(200);
  const { metadata } = (await list.json()) as { metadata: { resourceVersion: string } };
  const controller = new AbortController();
  const { signal } = controller;
  const query = `watch=1&resourceVersion=${metadata.resourceVersion}`;
  const response = await server.fetch(`${path}?${query}`, { signal });
  expect(response.status).toBe(200);
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const event = JSON.parse(line) as Event;
        if (event.object.metadata.name === 'last') return controller.abort();
        onEvent(event);
      }
    }
  };
  return { ended: read() };
}

describe.skipIf(!hasEtcd)('two servers on etcd, one of which loses answers', () => {
  let etcd: EtcdProcesses;
  let proxy: AnswerProxy;
  let keyFile: string;
  let prefix = '';
  let tests = 0;
  /** What becomes of the next transaction of a key whose last part is the name. */
  let fates: Map<string, Fate>;
  let losing: TestCluster;
  let other: TestCluster;

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
    tests += 1;
    prefix = `/lost-${tests}`;
    fates = new Map();
    proxy = new AnswerProxy(etcd.urls[0]!, (message) => {
      // The first key is that of the condition; its length precedes it.
      const at = message.indexOf(`${prefix}/`);
      const name = message.slice(at, at + message.charCodeAt(at - 1)).replace(/.*\//, '');
      const fate = fates.get(name) ?? 'forwarded';
      fates.delete(name);
      return fate;
    });
    losing = await start(await proxy.start());
    other = await start(etcd.urls[0]!);
  });
  afterEach(async () => {
    await losing.stop();
    await other.stop();
    await proxy.close();
  });

  const start = (url: string) =>
    startCluster({
      storageBackend: 'etcd3',
      etcdServers: [url],
      etcdPrefix: prefix,
      dataDir: temporaryDirectory(),
      serviceAccountSigningKeyFile: keyFile,
      serviceAccountIssuer: ['https://kubernetes.default.svc'],
      serviceAccountKeyFile: [keyFile],
      serviceClusterIpRange: RANGE,
      controllers: ['-*'],
    });

  /** Numbers of reserved addresses and ports, after the repairs of a server in some intervals. */
  async function reserved(repairs: number) {
    const storage = await openEtcd(etcd.urls, { prefix, keys: new KeyMapper(prefix) });
    try {
      const pools: StoredNumberPool[] = [];
      const allocator = new ServiceAllocator({
        addressRanges: [parseAllocationRange(RANGE)!],
        nodePorts: { first: 30_000, last: 32_767 },
        random: Math.random,
        createPool: (options) => {
          const pool = new StoredNumberPool({ storage, random: Math.random, ...options });
          pools.push(pool);
          return pool;
        },
      });
      for (let repair = 0; repair < repairs; repair += 1)
        await allocator.repair(async () => {
          const list = await other.fetch('/api/v1/services');
          return ((await list.json()) as { items: Service[] }).items;
        });
      for (const pool of pools) await pool.startRepair();
      return pools.map(({ allocated }) => allocated);
    } finally {
      await storage.close();
    }
  }

  it.each([
    { labels: false, does: 'deletes' },
    { labels: true, does: 'labels and deletes' },
  ])(
    '500 creations without an answer are made once if the other $does them',
    async ({ labels }) => {
      const histories = new Map<string, string[]>();
      const failures: string[] = [];
      const followed: Promise<void>[] = [];
      const lost: { readonly path: string; readonly name: string; readonly content: object }[] = [];
      /** Ends the wait for the answers that are held, by name. */
      const deletions = new Map<string, () => void>();
      for (const { path, count, content } of KINDS) {
        const onEvent = async ({ type, object: { metadata } }: Event) => {
          const { name, uid } = metadata;
          const history = histories.get(uid);
          if (history === undefined) histories.set(uid, [type]);
          else history.push(type);
          if (type !== 'ADDED') return;
          if (labels) {
            const labelled = { metadata: { labels: { seen: 'yes' } } };
            failures.push(...failureOf(await send(other, 'PATCH', `${path}/${name}`, labelled), 200));
          }
          // The first time only: an object that comes back stays.
          const lose = deletions.get(name);
          if (!deletions.delete(name)) return;
          failures.push(...failureOf(await send(other, 'DELETE', `${path}/${name}`), 200));
          lose!();
        };
        followed.push((await follow(other, path, (event) => void onEvent(event))).ended);
        for (let index = 0; index < count; index += 1) {
          const name = `lost-${lost.length}`;
          fates.set(name, new Promise((resolve) => deletions.set(name, resolve)));
          lost.push({ path, name, content });
        }
      }
      await concurrently(lost, 50, async ({ path, name, content }) => {
        failures.push(
          ...failureOf(await send(losing, 'POST', path, { metadata: { name }, ...content }), 504),
        );
      });
      for (const { path, content } of KINDS) {
        const { status } = await send(other, 'POST', path, { metadata: { name: 'last' }, ...content });
        expect(status).toBe(201);
      }
      await Promise.all(followed);
      expect(histories.size).toBe(500);
      const expected = labels ? ['ADDED', 'MODIFIED', 'DELETED'] : ['ADDED', 'DELETED'];
      expect(new Set([...histories.values()].map(String))).toEqual(new Set([String(expected)]));
      expect(failures).toEqual([]);
      await concurrently(lost, 50, async ({ path, name }) => {
        for (const server of [losing, other]) {
          const { status } = await send(server, 'GET', `${path}/${name}`);
          expect(status).toBe(404);
        }
      });
      // Those of the Services `kubernetes` and `last`.
      expect(await reserved(0)).toEqual([2, 1]);
    },
    120_000,
  );

  it('a creation whose answer is lost has succeeded if the object is there', async () => {
    const [{ path, content }] = KINDS as [(typeof KINDS)[number]];
    fates.set('lost-1', Promise.resolve());
    const { status, body } = await send(losing, 'POST', path, { metadata: { name: 'lost-1' }, ...content });
    expect(status).toBe(201);
    const { body: read } = await send(other, 'GET', `${path}/lost-1`);
    expect(read.metadata).toEqual(body.metadata);
  });

  it('repairs release the addresses and ports of Services that were not stored, and of deleted ones', async () => {
    const { path, content } = SERVICES;
    for (let index = 0; index < 10; index += 1) {
      const name = `lost-${index}`;
      const created = index % 2 === 0;
      if (created) {
        const { status } = await send(losing, 'POST', path, { metadata: { name }, ...content });
        expect(status).toBe(201);
      }
      fates.set(name, created ? Promise.resolve() : 'request lost');
      const { status, body } = created
        ? await send(losing, 'DELETE', `${path}/${name}`)
        : await send(losing, 'POST', path, { metadata: { name }, ...content });
      expect([status, body.reason]).toEqual([504, 'Timeout']);
      expect((await send(other, 'GET', `${path}/${name}`)).status).toBe(404);
    }
    expect(await reserved(0)).toEqual([11, 10]);
    expect(await reserved(4)).toEqual([1, 0]);
  });
});
