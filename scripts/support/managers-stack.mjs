#!/usr/bin/env node
// The built server with simulated nodes and all its controllers, beside a kube-controller-manager and a kube-scheduler
// of their own that hold the Leases of their names: a stack of the workloads suite.
//
// node scripts/support/managers-stack.mjs --managers DIR --exec COMMAND --dir DIR --cluster FILE [FLAG …]
//
// DIR of --managers has both binaries. The flags go to the server. Clients reach it at the port of --secure-port when
// both Leases are held.
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const OWN_FLAGS = ['managers', 'exec', 'dir', 'cluster'];
const MANAGER = 'kube-controller-manager';
const SCHEDULER = 'kube-scheduler';
/** Milliseconds between two looks at something that is waited for. */
const INTERVAL = 200;
/** Milliseconds in which the controllers of the server have ended after the Lease was taken. */
const STANDING_DOWN = 1500;

const own = {};
const serverFlags = [];
for (let words = process.argv.slice(2); words.length > 0; ) {
  const [word, ...rest] = words;
  const name = word.slice(2);
  if (OWN_FLAGS.includes(name)) own[name] = rest.shift();
  else serverFlags.push(word);
  words = rest;
}
const settings = JSON.parse(readFileSync(own.cluster, 'utf8'));
const serverFlag = (name) => serverFlags.find((flag) => flag.startsWith(`--${name}=`))?.split('=')[1];
const suitePort = Number(serverFlag('secure-port'));
/** The suite has five ports for each stack. */
const port = suitePort + 2;
const address = `https://127.0.0.1:${port}`;
const gates = settings.featureGates ? [`--feature-gates=${settings.featureGates}`] : [];

/** The flags of settings, except those whose names begin with one of some words. */
const flagsOf = (values = {}, ...except) =>
  Object.entries(values)
    .filter(([name, value]) => value !== undefined && !except.some((word) => name.startsWith(word)))
    .map(([name, value]) => `--${name}=${value}`);

const children = [];

function start(name, command, words) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(own.dir, `${name}.log`));
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log);
  child.on('exit', (code, signal) => {
    console.log(`${name} ended with ${code ?? signal}`);
    void stop(1);
  });
  children.push(child);
}

let isStopping = false;

/** Ends the programs, the server last. */
async function stop(code) {
  if (isStopping) return;
  isStopping = true;
  for (const child of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
  }
  process.exit(code);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(0));

function startServer() {
  const simulation = join(own.dir, 'simulation.json');
  writeFileSync(simulation, JSON.stringify(settings.simulator));
  const [command, ...words] = own.exec.split(' ');
  start('server', command, [
    ...words,
    `--data-dir=${join(own.dir, 'data')}`,
    '--controllers=*',
    `--simulate-nodes=${settings.simulator.nodes}`,
    `--simulation-config=${simulation}`,
    ...flagsOf(settings.controllerManager, 'kube-api-', 'pv-recycler-'),
    ...flagsOf(settings.scheduler, 'kube-api-'),
    ...(serverFlag('feature-gates') === undefined ? gates : []),
    ...serverFlags.filter((flag) => !flag.startsWith('--secure-port=')),
    `--secure-port=${port}`,
  ]);
}

function kubeconfig(user) {
  const file = join(own.dir, `${user}.kubeconfig`);
  const cluster = { server: address, 'insecure-skip-tls-verify': true };
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster }],
    users: [{ name: user, user: { token: `${user}-token` } }],
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user } }],
    'current-context': 'cluster',
  };
  writeFileSync(file, JSON.stringify(content));
  return `--kubeconfig=${file}`;
}

function startManagers() {
  const shared = ['--secure-port=0', '--leader-elect=true', ...gates];
  start(MANAGER, join(own.managers, MANAGER), [
    kubeconfig('kcm'),
    ...shared,
    '--use-service-account-credentials=true',
    '--allocate-node-cidrs=false',
    `--service-account-private-key-file=${serverFlag('service-account-signing-key-file')}`,
    ...flagsOf(settings.controllerManager, 'cluster-cidr'),
  ]);
  start(SCHEDULER, join(own.managers, SCHEDULER), [
    kubeconfig('scheduler'),
    ...shared,
    '--kube-api-qps=200',
    '--kube-api-burst=400',
    ...flagsOf(settings.scheduler),
  ]);
}

const agent = new Agent({ rejectUnauthorized: false });

/** Returns the body of a GET; undefined without a response, or for a status other than 200. */
function read(path) {
  return new Promise((resolve) => {
    const headers = { authorization: 'Bearer admin-token' };
    const request = get(address + path, { agent, headers, timeout: 3000 }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString() : undefined),
      );
    });
    request.on('error', () => resolve(undefined));
    request.on('timeout', () => request.destroy());
  });
}

async function waitUntil(isSo) {
  while (!(await isSo())) await sleep(INTERVAL);
}

async function isHeld(lease) {
  const text = await read(`/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${lease}`);
  return text !== undefined && Boolean(JSON.parse(text).spec?.holderIdentity);
}

/** Passes connections of the suite on to the server. */
function forward(client) {
  const server = connect(port, '127.0.0.1');
  client.pipe(server).pipe(client);
  for (const [one, other] of [
    [client, server],
    [server, client],
  ])
    one.on('error', () => other.destroy());
}

startServer();
await waitUntil(async () => (await read('/readyz')) !== undefined);
startManagers();
for (const lease of [MANAGER, SCHEDULER]) await waitUntil(() => isHeld(lease));
await sleep(STANDING_DOWN);
createServer(forward).listen(suitePort, '127.0.0.1');
