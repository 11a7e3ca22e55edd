import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EtcdProcesses, hasEtcd } from '../storage/etcd/etcd-process.ts';
import { FaultProxy } from '../storage/etcd/fault-proxy.ts';
import { BuiltServer } from './support/built-server.ts';
import { checkHistories, writes } from './support/check-histories.ts';
import type { HistoryLoad } from './support/history-load.ts';
import { AUTHORIZATION, sharedCredentials } from './support/shared-credentials.ts';
import { until } from './support/until.ts';

const REPLICAS = 3;
const CLIENTS = 6;

describe.skipIf(!hasEtcd)('what clients of three servers on three members of etcd see', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-histories-'));
  let etcd: EtcdProcesses;
  /** Between the last server and each member. */
  let proxies: FaultProxy[];
  let servers: BuiltServer[];

  beforeAll(async () => {
    etcd = await EtcdProcesses.start(3, [], undefined, true);
    proxies = await Promise.all(etcd.urls.map((url) => FaultProxy.start(url)));
    const credentials = sharedCredentials(directory);
    servers = await Promise.all(
      Array.from({ length: REPLICAS }, (_, index) => {
        const endpoints = index === REPLICAS - 1 ? proxies.map(({ url }) => url) : etcd.urls;
        return new BuiltServer([`--etcd-servers=${endpoints.join(',')}`, ...credentials]).start();
      }),
    );
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.remove()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await etcd.stop();
    rmSync(directory, { recursive: true });
  });

  const check = (namespace: string, fault: (load: HistoryLoad) => Promise<void>) =>
    checkHistories({
      urls: servers.map(({ url }) => url),
      authorization: AUTHORIZATION,
      namespace,
      clients: CLIENTS,
      fault,
    });

  it('is linearizable while the leader of etcd is killed, and writes go on within two seconds of a new one', async () => {
    await check('leader-killed', async (load) => {
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
    await check('etcd-paused', async () => {
      for (const member of etcd.members) member.signal('SIGSTOP');
      // The duration of the fault: clients run into their deadlines.
      await wait(10_000);
      for (const member of etcd.members) member.signal('SIGCONT');
    });
  });

  it.each(['leader', 'follower'])('is linearizable while a %s of etcd is cut off', async (role) => {
    await check(`${role}-cut-off`, async (load) => {
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
    await check('server-killed', async (load) => {
      await servers[1]!.end('SIGKILL');
      await writes(load);
      await servers[1]!.start();
    });
  });

  it.each(['cut', 'hang'] as const)(
    'is linearizable while the network between a server and etcd is broken (%s)',
    async (how) => {
      await check(`network-${how}`, async (load) => {
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
