import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const TOKEN = 'recorder';
const PLUGINS = ['ServiceAccount', 'TaintNodesByCondition', 'StorageObjectInUseProtection'];

export interface StackOptions {
  /** The binary of kube-scheduler. */
  readonly scheduler: string;
  readonly port: number;
  readonly gates: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A built server and a kube-scheduler that works on it. */
export class Stack {
  readonly #options: StackOptions;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  readonly #children: ChildProcess[] = [];
  #directory = '';

  constructor(options: StackOptions) {
    this.#options = options;
  }

  /** @param onLog called with each line of kube-scheduler's log */
  async start(onLog: (line: string) => void): Promise<void> {
    this.#directory = await mkdtemp(join(tmpdir(), 'record-scheduling-'));
    const tokens = join(this.#directory, 'tokens.csv');
    const kubeconfig = join(this.#directory, 'kubeconfig.json');
    const { port, gates, scheduler } = this.#options;
    await writeFile(tokens, `${TOKEN},recorder,recorder,"system:masters"\n`);
    await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(port)));
    const gateFlags =
      gates.length === 0 ? [] : [`--feature-gates=${gates.map((gate) => `${gate}=true`).join()}`];
    const server = this.#run('server', process.execPath, [
      'dist/main.js',
      `--secure-port=${port}`,
      `--data-dir=${join(this.#directory, 'data')}`,
      `--token-auth-file=${tokens}`,
      '--controllers=-*',
      `--disable-admission-plugins=${PLUGINS.join()}`,
      ...(gates.length === 0 ? [] : ['--runtime-config=api/all=true']),
      ...gateFlags,
    ]);
    server.stderr!.resume();
    while ((await this.call('GET', '/readyz').catch(() => undefined))?.status !== 200) await pause(100);
    const child = this.#run('scheduler', scheduler, [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      '--secure-port=0',
      '--kube-api-qps=1000',
      '--kube-api-burst=2000',
      '-v=10',
      ...gateFlags,
    ]);
    createInterface({ input: child.stderr! }).on('line', onLog);
  }

  #run(name: string, command: string, flags: readonly string[]): ChildProcess {
    const child = spawn(command, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout!.pipe(createWriteStream(join(this.#directory, `${name}.log`)));
    this.#children.push(child);
    return child;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    for (const child of this.#children) {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    }
    await rm(this.#directory, { recursive: true, force: true });
  }

  call(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#options.port,
          method,
          path,
          agent: this.#agent,
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () =>
            resolve({ status: response.statusCode!, body: text.startsWith('{') ? JSON.parse(text) : {} }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const kubeconfigOf = (port: number) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    { name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
  ],
  users: [{ name: 'u', user: { token: TOKEN } }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'c',
});
