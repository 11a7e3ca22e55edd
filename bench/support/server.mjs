// A built server as a child process, with its CPU time and memory as reported by the kernel.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from './client.mjs';

const REPORT_MEMORY = new URL('report-memory.mjs', import.meta.url).href;
const WATCH_STEPS = new URL('watch-steps.mjs', import.meta.url).href;
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/**
 * Length of a clock tick of /proc/<pid>/stat in microseconds: always a hundredth of a second, regardless of
 * the kernel's tick rate.
 */
const TICK_MICROSECONDS = 10_000;
/** Nodes that have a token, `node-0` and so on. */
export const NODES = 50;
const TOKENS = [
  'administrator,admin,1,system:masters',
  'reader,reader,2',
  'greedy,greedy,3',
  'polite,polite,4',
  'elector,system:kube-controller-manager,5',
  ...Array.from(
    { length: NODES },
    (_, node) => `node-${node},system:node:node-${node},n${node},system:nodes`,
  ),
  '',
].join('\n');

/** CPU time of a process so far, in microseconds. */
export function cpuMicroseconds(pid) {
  // The command, in parentheses, may contain spaces; the numbers after it start with the third column.
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const columns = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(columns[11]) + Number(columns[12])) * TICK_MICROSECONDS;
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export class BenchServer {
  /**
   * Uses a new data directory, or that of `previous`, which has exited. `flags` are added to the usual ones.
   * A server with `reportsMemory` can be asked for its {@link reachableBytes}, one with `watchesSteps` can be
   * {@link observed}.
   */
  constructor(previous, flags = [], { reportsMemory = false, watchesSteps = false } = {}) {
    this.flags = flags;
    this.loaded = [...(reportsMemory ? [REPORT_MEMORY] : []), ...(watchesSteps ? [WATCH_STEPS] : [])];
    this.directory = previous?.directory ?? mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
    writeFileSync(join(this.directory, 'tokens.csv'), TOKENS);
  }

  /** Starts the process and waits until it reports readiness; `readyMilliseconds` is the time this took. @param more flags */
  async start(more = []) {
    const port = await freePort();
    const started = performance.now();
    const flags = [
      `--data-dir=${join(this.directory, 'data')}`,
      `--secure-port=${port}`,
      `--token-auth-file=${join(this.directory, 'tokens.csv')}`,
      ...more,
    ];
    this.child = spawn(
      process.execPath,
      [
        ...this.loaded.flatMap((module) => ['--import', module]),
        MAIN,
        ...flags,
        '--disable-admission-plugins=ServiceAccount',
        '--controllers=-*',
        ...this.flags,
      ],
      { stdio: ['ignore', 'pipe', 'pipe', ...(this.loaded.length > 0 ? ['ipc'] : [])] },
    );
    let output = '';
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
    await new Promise((resolve, reject) => {
      const read = (chunk) => {
        output += chunk;
        if (output.includes('is ready at')) resolve();
      };
      this.child.stdout.on('data', read);
      this.child.stderr.on('data', read);
      this.ended.then(() =>
        reject(
          new Error(`the server exited:
${output}`),
        ),
      );
    });
    this.readyMilliseconds = performance.now() - started;
    this.url = `https://127.0.0.1:${port}`;
    this.admin = new Client(this.url, 'administrator');
    return this;
  }

  /**
   * Runs a task. Returns the longest time that the server's main thread worked without a turn of the event loop,
   * in milliseconds of processor time, and the growth of its memory at the peak, in megabytes.
   */
  async observed(task) {
    const told = (message) => {
      const answer = new Promise((resolve) => this.child.once('message', resolve));
      this.child.send(message);
      return answer;
    };
    await told('begin');
    await task();
    return told('end');
  }

  /** Bytes of the heap and of buffers that are still reachable, after a full garbage collection. */
  async reachableBytes() {
    const answer = new Promise((resolve) => this.child.once('message', resolve));
    this.child.send('memory');
    return answer;
  }

  client(token = 'administrator') {
    return new Client(this.url, token);
  }

  /** CPU time of the process so far, in microseconds. */
  cpu() {
    return cpuMicroseconds(this.child.pid);
  }

  /** CPU time of the main thread so far, in milliseconds; exact, unlike `cpu`. */
  mainThread() {
    const text = readFileSync(`/proc/${this.child.pid}/task/${this.child.pid}/schedstat`, 'latin1');
    return Number(text.split(' ')[0]) / 1e6;
  }

  /** Current or peak resident memory in megabytes. */
  memory(field = 'VmRSS') {
    const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
      readFileSync(`/proc/${this.child.pid}/status`, 'latin1'),
    );
    return Number(kilobytes) / 1024;
  }

  async kill(signal = 'SIGKILL') {
    this.admin?.close();
    this.child.kill(signal);
    await this.ended;
  }

  async remove() {
    await this.kill();
    if (existsSync(this.directory)) rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Runs a task with a new server. */
export async function withServer(use, flags = []) {
  const server = new BenchServer(undefined, flags);
  try {
    await server.start();
    return await use(server);
  } finally {
    await server.remove();
  }
}
