// Starts an etcd with an empty store for the time of this process.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { etcdPath } from '../etcd.mjs';

const START_TIMEOUT_MS = 30_000;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** Returns a port of 127.0.0.1 that is free now. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Returns whether `url` answers with a success. */
const answers = (url) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Starts etcd and waits until it is healthy. It ends, and its data is removed, when this process exits.
 * The binary must have been built (`node scripts/etcd.mjs`).
 * @returns its URL
 */
export async function startScratchEtcd() {
  const binary = etcdPath();
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-etcd-'));
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const flags = [
    `--data-dir=${join(directory, 'data')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=error',
  ];
  const child = spawn(binary, flags, { stdio: 'ignore' });
  process.on('exit', () => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(`${client}/health`))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${binary} does not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return client;
}
