import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EtcdProcesses, hasEtcd } from '../storage/etcd/etcd-process.ts';
import { FaultProxy } from '../storage/etcd/fault-proxy.ts';
import { findNonLinearizable } from '../storage/history/linearizability.ts';
import { findWatchProblem } from '../storage/history/watch-history.ts';
import { BuiltServer } from './support/built-server.ts';
import { HistoryLoad, HistoryWatcher } from './support/history-load.ts';
import { until } from './support/until.ts';

const REPLICAS = 3;
const CLIENTS = 6;
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
const AUTHORIZATION = 'Bearer secret';
/** Writes before and after a fault. */
const WRITES = 100;

describe.skipIf(!hasEtcd)('what clients of three servers on three members of etcd see', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-histories-'));
  let etcd: EtcdProcesses;
  /** Between the last server and each member. */
  let proxies: FaultProxy[];
  let servers: BuiltServer[];

  beforeAll(async () => {
    etcd = await EtcdProcesses.start(3, [], undefined, true);
    proxies = await Promise.all(etcd.urls.map((url) => FaultProxy.start(url)));
    const [key, tokens] = [join(directory, 'sa.key'), join(directory, 'tokens')];
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(tokens, 'secret,admin,1,"system:masters"\n');
    servers = await Promise.all(
      Array.from({ length: REPLICAS }, (_, index) => {
        const endpoints = index === REPLICAS - 1 ? proxies.map(({ url }) => url) : etcd.urls;
        return new BuiltServer([
          `--etcd-servers=${endpoints.join(',')}`,
          `--service-account-signing-key-file=${key}`,
          `--service-account-key-file=${key}`,
          '--service-account-issuer=https://kubernetes.default.svc',
          `--token-auth-file=${tokens}`,
        ]).start();
      }),
    );
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.remove()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await etcd.stop();
    rmSync(directory, { recursive: true });
  });

  /** Runs clients and watchers during a fault and checks everything that they saw. */
  async function checkHistories(
    namespace: string,
    fault: (load: HistoryLoad) => Promise<void>,
  ): Promise<void> {
    const urls = servers.map(({ url }) => url);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const load = new HistoryLoad(urls, AUTHORIZATION, path, KEYS, [...KEYS, 'last']);
    const created = await load.send(0, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    expect(created.status).toBe(201);
    const isComplete = async () => (await load.list(0)).versions.has('kube-root-ca.crt');
    await until(isComplete, 'the ConfigMap of a controller');
    const watchers = await Promise.all(
      urls.map(
        async (_, index) => new HistoryWatcher(urls, AUTHORIZATION, path, await load.list(index), index),
      ),
    );
    try {
      load.start(CLIENTS);
      await writes(load);
      await fault(load);
      await writes(load);
      await load.stop();
      const last = { metadata: { name: 'last' }, data: { value: 'last' } };
      expect((await load.send(0, 'POST', path, last)).status).toBe(201);
      const [final] = await Promise.all(urls.map((_, index) => load.list(index)));
      const seesLast = ({ events }: HistoryWatcher) => events.at(-1)?.key === 'last';
      await until(() => watchers.every(seesLast), 'the watchers to see the last write', 30_000);
      expect(watchers.map(({ problem }) => problem)).toEqual(watchers.map(() => undefined));
      const histories = watchers.map(({ initial, events }, index) => ({
        name: `watcher ${index}`,
        initial: initial.versions,
        from: initial.revision,
        events,
      }));
      const operations = [
        ...load.operations,
        {
          client: -1,
          key: 'last',
          request: { kind: 'create', value: 'last' },
          outcome: { kind: 'done', revision: final!.versions.get('last')!.revision },
          invoked: load.operations.findLast(({ key }) => key === 'last')!.invoked - 1,
          returned: Number.POSITIVE_INFINITY,
        } as const,
      ];
      expect(findWatchProblem(histories, operations, final!)).toBeUndefined();
      expect(findNonLinearizable(operations)).toBeUndefined();
      expect(load.unexpected).toEqual([]);
    } finally {
      for (const watcher of watchers) watcher.close();
      await load.stop();
    }
  }

  /** Waits for more acknowledged writes. */
  async function writes({ acknowledged }: HistoryLoad, count = WRITES): Promise<void> {
    const enough = acknowledged.length + count;
    await until(() => acknowledged.length >= enough, 'writes', 60_000);
  }

  it('is linearizable while the leader of etcd is killed, and writes go on within two seconds of a new one', async () => {
    await checkHistories('leader-killed', async (load) => {
      const leader = await etcd.leader();
      const others = etcd.members.filter((member) => member !== leader);
      const { id } = await leader.leaderId();
      await leader.kill();
      await until(async () => {
        const { leader: next } = await others[0]!.leaderId();
        return next !== '0' && next !== id;
      }, 'another leader');
      const elected = performance.now();
      await until(() => load.acknowledged.at(-1)! > elected, 'a write');
      expect(load.acknowledged.find((time) => time > elected)! - elected).toBeLessThan(2000);
      leader.start();
      await leader.ready();
    });
  });

  it('is linearizable while etcd is paused for ten seconds', async () => {
    await checkHistories('etcd-paused', async () => {
      for (const member of etcd.members) member.signal('SIGSTOP');
      // The duration of the fault: clients run into their deadlines.
      await wait(10_000);
      for (const member of etcd.members) member.signal('SIGCONT');
    });
  });

  it.each(['leader', 'follower'])('is linearizable while a %s of etcd is cut off', async (role) => {
    await checkHistories(`${role}-cut-off`, async (load) => {
      const leader = await etcd.leader();
      const member = role === 'leader' ? leader : etcd.members.find((other) => other !== leader)!;
      await etcd.cutOff(member);
      try {
        await until(async () => (await member.leaderId()).leader === '0', 'the member to notice', 30_000);
        await writes(load);
      } finally {
        etcd.reconnect();
      }
      await member.ready();
    });
  });

  it('is linearizable while a server is killed', async () => {
    await checkHistories('server-killed', async (load) => {
      await servers[1]!.end('SIGKILL');
      await writes(load);
      await servers[1]!.start();
    });
  });

  it.each(['cut', 'hang'] as const)(
    'is linearizable while the network between a server and etcd is broken (%s)',
    async (how) => {
      await checkHistories(`network-${how}`, async (load) => {
        for (const proxy of proxies) proxy[how]();
        try {
          // Every client waits for the separated server in each third request.
          await writes(load, CLIENTS);
        } finally {
          for (const proxy of proxies) proxy.restore();
        }
      });
    },
  );
});
