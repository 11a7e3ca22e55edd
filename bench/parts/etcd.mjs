// The same requests on etcd and on the embedded store, in turns: processor time of the server, and requests to
// etcd per request.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { many } from '../support/client.mjs';
import { BenchEtcd, hasEtcd } from '../support/etcd.mjs';
import { summary } from '../support/measure.mjs';
import { CONFIG_MAPS, configMap } from '../support/objects.mjs';
import { BenchServer } from '../support/server.mjs';

const ROUNDS = 5;

export default async function etcd(table) {
  if (!hasEtcd()) {
    table.note('etcd', 'skipped: run node scripts/etcd.mjs first');
    return;
  }
  const store = await new BenchEtcd().start();
  const embedded = new BenchServer();
  const remote = new BenchServer();
  try {
    const key = join(remote.directory, 'sa.key');
    spawnSync('openssl', ['genrsa', '-out', key, '2048']);
    await embedded.start();
    await remote.start([
      `--etcd-servers=${store.url}`,
      `--service-account-signing-key-file=${key}`,
      `--service-account-key-file=${key}`,
      '--service-account-issuer=https://kubernetes.default.svc',
    ]);
    await compare(table, store, embedded, remote);
  } finally {
    await embedded.remove();
    await remote.remove();
    await store.stop();
  }
}

async function compare(table, store, embedded, remote) {
  const create = (client, name) =>
    client.ask(CONFIG_MAPS, { method: 'POST', body: JSON.stringify(configMap(name)) });
  const update = (client, name, round) =>
    client.ask(`${CONFIG_MAPS}/${name}`, {
      method: 'PUT',
      body: JSON.stringify(configMap(name, `r${round}`)),
    });
  const get = (client) => client.ask(`${CONFIG_MAPS}/one--1-0`);
  const stale = (client) => client.ask(`${CONFIG_MAPS}/one--1-0?resourceVersion=0`);
  const list = (client) => client.ask(`${CONFIG_MAPS}?labelSelector=none`);
  const cases = [
    ['create, 1 at a time', 500, 1, (client, index, round) => create(client, `one-${round}-${index}`)],
    ['create, 16 at a time', 2000, 16, (client, index, round) => create(client, `many-${round}-${index}`)],
    ['update, 16 at a time', 2000, 16, (client, index, round) => update(client, `many--1-${index}`, round)],
    ['consistent get, 1 at a time', 1000, 1, get],
    ['consistent get, 16 at a time', 4000, 16, get],
    ['consistent list, 16 at a time', 500, 16, list],
    ['get with resourceVersion=0, 16 at a time', 4000, 16, stale],
  ];
  for (const [name, count, concurrency, request] of cases) {
    const cpu = { embedded: [], remote: [] };
    const unary = [];
    const progress = [];
    const rate = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [which, server] of Object.entries({ embedded, remote })) {
        const before = await store.requests();
        const spent = server.cpu();
        const started = performance.now();
        await many(count, concurrency, (index) => request(server.admin, index, round));
        const seconds = (performance.now() - started) / 1000;
        if (round < 0) continue;
        cpu[which].push((server.cpu() - spent) / count);
        if (which === 'embedded') continue;
        const after = await store.requests();
        unary.push((after.unary - before.unary) / count);
        progress.push((after.progress - before.progress) / count);
        rate.push(count / seconds);
      }
    }
    table.row(`${name}: embedded`, summary(cpu.embedded), 'µs CPU');
    table.row(`${name}: etcd`, summary(cpu.remote), 'µs CPU');
    table.row(`${name}: etcd`, summary(rate), 'per second');
    table.row(`${name}: requests to etcd`, summary(unary), 'each');
    table.row(`${name}: progress requests`, summary(progress), 'each');
  }
}
