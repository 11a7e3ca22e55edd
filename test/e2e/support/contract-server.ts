import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type RequestOptions as HttpsOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stream } from 'node:stream';
import type { ReadyLine } from '../../../src/start-contract/ready-line.ts';
import { COMMAND, requireCommand } from './command.ts';

export interface ContractOptions {
  /** The standard input: a pipe by default, which ends with the process. */
  readonly input?: 'pipe' | 'ignore' | number | Stream;
  /** Whether both output streams are read; true by default. */
  readonly reads?: boolean;
  /** Changes to the environment; undefined removes a variable. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Words in front of the command, for example those of unshare. */
  readonly through?: readonly string[];
  readonly directory?: string;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server that is started by the start contract, with a temporary folder of its own. */
export class ContractServer {
  readonly home: string;
  /** The temporary folder of the server. */
  readonly temporary: string;
  readonly working: string;
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  out = '';
  log = '';
  #line: ReadyLine | undefined;

  constructor(words: readonly string[], options: ContractOptions = {}) {
    requireCommand();
    this.home = mkdtempSync(join(tmpdir(), 'binnacle-contract-'));
    this.temporary = join(this.home, 'temporary');
    this.working = join(this.home, 'working');
    mkdirSync(this.temporary);
    mkdirSync(this.working);
    const { through = [], input = 'pipe', reads = true } = options;
    const [program, ...rest] = [...through, ...COMMAND, ...words];
    const environment = { ...process.env, TMPDIR: this.temporary, ...options.environment };
    this.child = spawn(program!, rest, {
      cwd: options.directory ?? this.working,
      env: Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
      stdio: [input, 'pipe', 'pipe'],
    });
    this.child.stdin?.on('error', () => undefined);
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on(reads ? 'close' : 'exit', (code, signal) => resolve({ code, signal }));
    });
    if (!reads) return;
    this.child.stdout!.on('data', (chunk: Buffer) => {
      this.out += chunk;
    });
    this.child.stderr!.on('data', (chunk: Buffer) => {
      this.log += chunk;
    });
  }

  /** Resolves with a first line on the standard output. @throws Error with the log if the server ends before */
  async ready(): Promise<this> {
    const ended = this.ended.then(() => Promise.reject(new Error(`the server ended:\n${this.log}`)));
    ended.catch(() => undefined);
    await Promise.race([
      ended,
      new Promise<void>((resolve) => {
        const look = () => {
          if (this.out.includes('\n')) resolve();
        };
        this.child.stdout!.on('data', look);
        look();
      }),
    ]);
    return this;
  }

  get line(): ReadyLine {
    this.#line ??= JSON.parse(this.out) as ReadyLine;
    return this.#line;
  }

  /** Entries of the temporary folder. */
  get left(): string[] {
    return readdirSync(this.temporary);
  }

  /** A member of the kubeconfig, decoded. */
  credential(name: string): string {
    const [, base64] = new RegExp(`^ *${name}: (\\S+)$`, 'm').exec(
      readFileSync(this.line.kubeconfig!, 'utf8'),
    )!;
    return Buffer.from(base64!, 'base64').toString();
  }

  /** What a client needs for TLS, as the administrator. */
  get tls(): { ca: string; cert: string; key: string } {
    return {
      ca: this.line.ca,
      cert: this.credential('client-certificate-data'),
      key: this.credential('client-key-data'),
    };
  }

  /** Sends a request with these credentials; rejects if there is no response. */
  request(
    path: string,
    { body, ...options }: HttpsOptions & { readonly body?: string } = this.tls,
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${this.line.url}${path}`,
        { ca: this.line.ca, agent: false, ...options },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode!, text }));
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Sends a signal and returns how the server ended, and the milliseconds that this took. */
  async end(signal: NodeJS.Signals): Promise<Ending & { milliseconds: number }> {
    const start = performance.now();
    this.child.kill(signal);
    return { ...(await this.ended), milliseconds: performance.now() - start };
  }

  async remove(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended.catch(() => undefined);
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Processor time of a process so far in milliseconds: that of all its threads. */
export function processorMilliseconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The command, in parentheses, may contain spaces; the numbers after it start with the third column.
  const columns = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(columns[11]) + Number(columns[12])) * 10;
}
