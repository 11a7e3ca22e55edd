import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestCluster } from '../../src/testing/index.ts';
import { hasEtcd } from '../storage/etcd/etcd-process.ts';
import { ReplaceableEtcd, startedAgain, until } from './replaceable-etcd.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICES = '/api/v1/namespaces/default/services';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const SERVERS = 3;

interface Stored {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec?: { readonly clusterIP?: string; readonly holderIdentity?: string };
}

interface StoredList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Stored[];
}

interface WatchedEvent {
  readonly type: string;
  readonly object: Stored & { readonly code?: number; readonly reason?: string };
}

/** The events of a watch until it ends. */
class Watched {
  readonly events: WatchedEvent[] = [];
  readonly ended: Promise<void>;
  readonly #controller = new AbortController();

  private constructor(response: Response) {
    this.ended = this.#read(response).catch(() => undefined);
  }

  static async open(server: TestCluster, path: string, resourceVersion: string): Promise<Watched> {
    const controller = new AbortController();
    const response = await server.fetch(`${path}?watch=1&resourceVersion=${resourceVersion}`, {
      signal: controller.signal,
    });
    expect(response.status).toBe(200);
    const watched = new Watched(response);
    watched.#controller.signal.addEventListener('abort', () => controller.abort());
    return watched;
  }

  close(): void {
    this.#controller.abort();
  }

  async #read(response: Response): Promise<void> {
    let rest = '';
    for await (const chunk of response.body!) {
      const lines = (rest + Buffer.from(chunk).toString()).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.events.push(JSON.parse(line) as WatchedEvent);
    }
  }
}

describe.skipIf(!hasEtcd)('three servers whose store is replaced', () => {
  let etcd: ReplaceableEtcd;
  let servers: readonly TestCluster[];

  beforeEach(async () => {
    etcd = await ReplaceableEtcd.start();
    servers = await Promise.all(Array.from({ length: SERVERS }, () => etcd.serve()));
  });
  afterEach(() => etcd.stop());

  const get = async <Answer>(server: TestCluster, path: string): Promise<Answer> => {
    const response = await server.fetch(path);
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, 200, text]);
    return JSON.parse(text) as Answer;
  };
  const create = async (server: TestCluster, path: string, body: object): Promise<Stored> => {
    const response = await server.fetch(path, { method: 'POST', body });
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, 201, text]);
    return JSON.parse(text) as Stored;
  };
  const names = async (server: TestCluster, path: string) =>
    (await get<StoredList>(server, path)).items.map(({ metadata }) => metadata.name);
  const isReady = async (server: TestCluster) => (await server.fetch('/readyz')).status === 200;
  const service = (name: string) => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });

  /** Waits until all servers have started again, and tries everything that has state of the store. */
  async function expectWorking(kept: readonly string[], reserved: readonly string[]): Promise<void> {
    for (const server of servers) await startedAgain(server);
    for (const [index, server] of servers.entries()) {
      const list = await get<StoredList>(server, MAPS);
      const after = servers.slice(0, index).map((_, before) => `after-${before}`);
      const found = list.items.map(({ metadata }) => metadata.name);
      expect(found.filter((name) => name !== 'kube-root-ca.crt')).toEqual([...after, ...kept]);
      expect(await names(server, '/apis/rbac.authorization.k8s.io/v1/clusterroles')).toContain(
        'cluster-admin',
      );
      const watched = await Watched.open(server, MAPS, list.metadata.resourceVersion);
      const made = await create(servers[(index + 1) % SERVERS]!, MAPS, {
        metadata: { name: `after-${index}` },
      });
      expect(Number(made.metadata.resourceVersion)).toBeGreaterThan(Number(list.metadata.resourceVersion));
      await until(async () => watched.events.length > 0);
      expect(watched.events[0]).toMatchObject({ type: 'ADDED', object: { metadata: made.metadata } });
      watched.close();
    }
    const addresses = await Promise.all(
      servers.map(
        async (server, index) => (await create(server, SERVICES, service(`s-${index}`))).spec!.clusterIP!,
      ),
    );
    expect(new Set([...addresses, ...reserved]).size).toBe(SERVERS + reserved.length);
    // The controllers run on one of the servers: it leads, and creates what a namespace has.
    const namespace = await servers[0]!.createNamespace();
    await until(async () =>
      (await names(servers[1]!, `/api/v1/namespaces/${namespace}/serviceaccounts`)).includes('default'),
    );
    const lease = await get<Stored>(
      servers[2]!,
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/binnacle-controllers',
    );
    expect(lease.spec!.holderIdentity).toMatch(/^apiserver-/);
  }

  /** Objects and watches of the time before the store is replaced. */
  async function prepareBackup() {
    await create(servers[0]!, MAPS, { metadata: { name: 'kept' } });
    const { spec } = await create(servers[0]!, SERVICES, service('kept'));
    await until(async () => (await names(servers[0]!, MAPS)).includes('kube-root-ca.crt'));
    await etcd.backUp();
    for (let index = 0; index < 20; index += 1)
      await create(servers[index % SERVERS]!, MAPS, { metadata: { name: `lost-${index}` } });
    await create(servers[0]!, SERVICES, service('lost'));
    await create(servers[0]!, DEFINITIONS, {
      metadata: { name: 'losts.replaced.test' },
      spec: {
        group: 'replaced.test',
        scope: 'Cluster',
        names: { plural: 'losts', kind: 'Lost' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    await until(async () => (await servers[1]!.fetch('/apis/replaced.test/v1/losts')).status === 200);
    const before = await get<StoredList>(servers[0]!, MAPS);
    const watches = await Promise.all(
      servers.map((server) => Watched.open(server, MAPS, before.metadata.resourceVersion)),
    );
    return { clusterIP: spec!.clusterIP!, before, watches };
  }

  async function expectExpired(watches: readonly Watched[]): Promise<void> {
    for (const { ended, events } of watches) {
      await ended;
      expect(events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    }
  }

  it('an earlier state: they serve it, and versions of the later one have expired', async () => {
    const { clusterIP, before, watches } = await prepareBackup();
    await etcd.replace(etcd.restore);
    await expectExpired(watches);
    await until(() => isReady(servers[0]!));
    const list = await get<StoredList>(servers[0]!, MAPS);
    expect(Number(list.metadata.resourceVersion)).toBeLessThan(Number(before.metadata.resourceVersion));
    await expectWorking(['kept'], [clusterIP]);
    for (const server of servers)
      expect((await server.fetch('/apis/replaced.test/v1/losts')).status).toBe(404);
    const old = await Watched.open(servers[0]!, MAPS, String(Number(before.metadata.resourceVersion) + 1e6));
    await expectExpired([old]);
  });

  it('an earlier state with a higher, compacted revision', async () => {
    const { clusterIP, before, watches } = await prepareBackup();
    await etcd.replace(etcd.restore, [], async () => {
      let revision = 0;
      while (revision <= Number(before.metadata.resourceVersion) + 100) revision = await etcd.member.touch();
      await etcd.member.compact(revision);
    });
    await expectExpired(watches);
    await expectWorking(['kept'], [clusterIP]);
    await expectExpired([await Watched.open(servers[1]!, MAPS, before.metadata.resourceVersion)]);
  });

  it('an earlier state that others have written beyond the known revision', async () => {
    const { clusterIP, before, watches } = await prepareBackup();
    await etcd.replace(etcd.restore, [], async () => {
      while ((await etcd.member.touch()) <= Number(before.metadata.resourceVersion) + 100);
    });
    await expectExpired(watches);
    await expectWorking(['kept'], [clusterIP]);
  });

  it('an empty one, of the same cluster and of another', async () => {
    const { watches } = await prepareBackup();
    await etcd.replace(() => undefined);
    await expectExpired(watches);
    await expectWorking([], []);
    for (const server of servers) (server.log as string[]).length = 0;
    await etcd.replace(() => undefined, ['--initial-cluster-token=another']);
    await expectWorking([], []);
  });
});
