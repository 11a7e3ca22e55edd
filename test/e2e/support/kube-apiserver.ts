import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../storage/etcd/etcd-process.ts';
import { until } from './until.ts';

const binary = process.env['BINNACLE_KUBE_APISERVER'] ?? '';

/** Whether there is a kube-apiserver to test with. */
export const hasKubeApiserver = binary !== '' && existsSync(binary);

/** A kube-apiserver in a separate process. */
export class KubeApiserver {
  readonly directory = mkdtempSync(join(tmpdir(), 'kube-apiserver-'));
  url = '';
  #child: ChildProcess | undefined;

  /** @param flags all but those of its own port and files */
  constructor(
    private readonly flags: readonly string[],
    private readonly authorization: string,
  ) {}

  /** Starts the server, or restarts it. */
  async start(): Promise<this> {
    // Keep the port, so that clients find the restarted server.
    const port = this.url === '' ? (await freePorts(1))[0] : new URL(this.url).port;
    this.url = `https://127.0.0.1:${port}`;
    const logFile = join(this.directory, 'log');
    const log = openSync(logFile, 'a');
    const own = [`--secure-port=${port}`, '--bind-address=127.0.0.1', `--cert-dir=${this.directory}`];
    const child = spawn(binary, [...own, ...this.flags], { stdio: ['ignore', log, log] });
    this.#child = child;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(readFileSync(logFile, 'utf8').slice(-2000));
      return this.#isReady();
    }, 'kube-apiserver to be ready');
    return this;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const outgoing = request(`${this.url}/readyz`, {
        agent: false,
        rejectUnauthorized: false,
        headers: { authorization: this.authorization },
      });
      outgoing.on('error', () => resolve(false));
      outgoing.on('response', (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      outgoing.end();
    });
  }
}
