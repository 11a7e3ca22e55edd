// Measures further clusters inside this process, with --expose-gc, and prints the figures as JSON.
import { setTimeout as wait } from 'node:timers/promises';
import { startCluster } from '../../dist/testing.js';

const COUNT = 200;
const ROUNDS = 3;
const IDLE_CLUSTERS = 1000;
const OBJECTS = 5000;
const MAPS = '/api/v1/namespaces/default/configmaps';
const MEGABYTE = 1 << 20;

const rows = [];
const row = (name, figures, unit, budget) => rows.push({ name, figures, unit, budget });

/** Processor time of this process in milliseconds. */
const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function heap() {
  for (let pass = 0; pass < 3; pass += 1) {
    globalThis.gc();
    await wait(50);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / MEGABYTE;
}

async function get(cluster, path) {
  const response = await cluster.fetch(path);
  await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
}

/** Mean processor time of a fork until its first GET; its end does not count. */
async function untilFirstGet(parent, path, count = COUNT) {
  let spent = 0;
  for (let index = 0; index < count; index += 1) {
    const before = processorTime();
    const fork = await parent.fork();
    await get(fork, path);
    spent += processorTime() - before;
    await fork.stop();
  }
  return spent / count;
}

async function rounds(measure) {
  await measure();
  const figures = [];
  for (let round = 0; round < ROUNDS; round += 1) figures.push(await measure());
  return figures;
}

const empty = await startCluster();
await empty.quiescent();
const account = '/api/v1/namespaces/default/serviceaccounts/default';
row('further cluster to its first GET', await rounds(() => untilFirstGet(empty, account)), 'ms CPU', 5);

const full = await startCluster();
for (let index = 0; index < OBJECTS; index += 1)
  await (
    await full.fetch(MAPS, {
      method: 'POST',
      body: { metadata: { name: `m${index}` }, data: { text: 'x'.repeat(200) } },
    })
  ).text();
await full.quiescent();
row(
  `fork of ${OBJECTS} objects to its first GET`,
  await rounds(() => untilFirstGet(full, `${MAPS}/m7`, 50)),
  'ms CPU',
  10,
);
{
  const before = await heap();
  const forks = await Promise.all(Array.from({ length: 20 }, () => full.fork()));
  for (const fork of forks) await get(fork, `${MAPS}/m7`);
  row(`memory of a fork of ${OBJECTS} objects`, [((await heap()) - before) / forks.length], 'MB', 1);
  for (const fork of forks) await fork.stop();
}
await full.stop();

{
  const before = processorTime();
  const forks = await Promise.all(Array.from({ length: COUNT }, () => empty.fork()));
  await Promise.all(
    forks.map(async (fork, index) => {
      for (let write = 0; write < 5; write += 1)
        await (
          await fork.fetch(MAPS, { method: 'POST', body: { metadata: { name: `m${index}-${write}` } } })
        ).text();
      const list = await (await fork.fetch(MAPS)).json();
      const own = list.items.filter(({ metadata }) => metadata.name.startsWith('m'));
      if (own.length !== 5 || own.some(({ metadata }) => !metadata.name.startsWith(`m${index}-`)))
        throw new Error('a fork sees what another one did');
    }),
  );
  row(`${COUNT} forks, 5 creations each, in parallel`, [processorTime() - before], 'ms CPU');
  await Promise.all(forks.map((fork) => fork.stop()));
}

{
  const before = await heap();
  const forks = [];
  for (let index = 0; index < IDLE_CLUSTERS; index += 1) {
    const fork = await empty.fork();
    await get(fork, account);
    forks.push(fork);
  }
  row('memory of an idle cluster', [((await heap()) - before) / IDLE_CLUSTERS], 'MB', 1);
  row(`memory of ${IDLE_CLUSTERS} idle clusters`, [process.memoryUsage.rss() / MEGABYTE], 'MB RSS', 1024);
  // Priority and fairness rests a minute after the last request.
  await wait(75_000);
  const begin = processorTime();
  await wait(10_000);
  row(`${IDLE_CLUSTERS} idle clusters`, [(processorTime() - begin) / 100], '% core', 1);
  await Promise.all(forks.map((fork) => fork.stop()));
  forks.length = 0;
  row('memory that a deleted cluster leaves', [((await heap()) - before) / IDLE_CLUSTERS], 'MB', 0.05);
}
await empty.stop();

{
  const simulated = await startCluster({ simulateNodes: 1 });
  await simulated.quiescent();
  const day = async () => {
    const cluster = await simulated.fork();
    cluster.clock.freeze();
    await cluster.clock.set('2040-01-01T00:30:00Z');
    const container = { name: 'a', image: 'a', command: ['sleep', '60'] };
    const template = { spec: { restartPolicy: 'Never', containers: [container] } };
    const spec = { schedule: '0 * * * *', jobTemplate: { spec: { template } } };
    const path = '/apis/batch/v1/namespaces/default/cronjobs';
    await (
      await cluster.fetch(path, { method: 'POST', body: { metadata: { name: 'hourly' }, spec } })
    ).text();
    const before = processorTime();
    await cluster.clock.advance('24h');
    const spent = processorTime() - before;
    await cluster.stop();
    return spent / 1000;
  };
  row('day of an hourly CronJob with its Jobs', await rounds(day), 's CPU', 2);
  await simulated.stop();
}
console.log(JSON.stringify(rows));
