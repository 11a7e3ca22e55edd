// Start and stop of servers by the start contract: one at a time, and eight at once.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { summary } from '../support/measure.mjs';
import { cpuMicroseconds } from '../support/server.mjs';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** The command that is measured: words separated by spaces. */
const COMMAND = process.env.BINNACLE_BIN?.split(' ') ?? [process.execPath, MAIN];
const ROUNDS = 20;
const AT_ONCE = 8;

/** Starts a server; resolves when its line is there, with the times until then. */
async function ready() {
  const started = performance.now();
  const [file, ...words] = COMMAND;
  const child = spawn(file, [...words, 'serve', '--ephemeral', '--exit-with-parent'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const text = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    ended.then((code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { pid } = JSON.parse(text);
  return {
    milliseconds: performance.now() - started,
    cpu: cpuMicroseconds(pid) / 1000,
    memory: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024,
    async stop() {
      const signalled = performance.now();
      child.kill('SIGTERM');
      await ended;
      return performance.now() - signalled;
    },
  };
}

export default async function startContract(table) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await ready();
    rounds.push({ ...server, stopped: await server.stop() });
  }
  const of = (member) => summary(rounds.map((round) => round[member]));
  table.row('ephemeral: ready', of('milliseconds'), 'ms wall', 1000);
  table.row('ephemeral: ready', of('cpu'), 'ms CPU', 1250);
  table.row('ephemeral: memory when ready', of('memory'), 'MB RSS', 120);
  table.row('ephemeral: stopped when idle', of('stopped'), 'ms wall', 1000);
  const together = await Promise.all(Array.from({ length: AT_ONCE }, ready));
  const cpu = together.reduce((sum, server) => sum + server.cpu, 0);
  table.row(
    'eight at once: the last is ready',
    { value: Math.max(...together.map((s) => s.milliseconds)) },
    'ms wall',
    5000,
  );
  table.row('eight at once: all', { value: cpu }, 'ms CPU', 10_000);
  await Promise.all(together.map((server) => server.stop()));
}
