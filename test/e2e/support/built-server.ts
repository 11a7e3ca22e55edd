import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND, requireCommand } from './command.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** The client certificate, or none. */
  readonly client?: { readonly cert?: string; readonly key?: string };
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The server as users start it: the built command in a separate process with its own data directory. */
export class BuiltServer {
  readonly directory = mkdtempSync(join(tmpdir(), 'binnacle-e2e-'));
  readonly kubeconfigFile = join(this.directory, 'data/kubeconfig');
  url = '';
  output = '';
  #child: ChildProcess | undefined;
  #ended: Promise<Ending> | undefined;
  #agent = new Agent();

  /** @param port by default the server chooses */
  constructor(
    private readonly flags: readonly string[] = [],
    private readonly port: { readonly port: number | undefined } = { port: 0 },
  ) {}

  /** Starts the server, or restarts it on the same data. */
  async start(): Promise<this> {
    requireCommand();
    // Keep the port, so that clients find the restarted server.
    const port = this.url === '' ? this.port.port : new URL(this.url).port;
    const portFlag = port === undefined ? [] : [`--secure-port=${port}`];
    const [file, ...words] = COMMAND;
    const child = spawn(
      file,
      [...words, `--data-dir=${join(this.directory, 'data')}`, ...portFlag, ...this.flags],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#child = child;
    this.#ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
    this.output = '';
    this.#agent = new Agent({ keepAlive: true, maxSockets: 16 });
    this.url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        this.output += chunk.toString();
        const found = /is ready at (\S+)/.exec(this.output);
        if (found !== null) resolve(found[1]!);
      };
      child.stdout!.on('data', read);
      child.stderr!.on('data', read);
      void this.#ended!.then(() => reject(new Error(`the server ended:\n${this.output}`)));
    });
    return this;
  }

  /** Sends a signal that does not end the process. */
  signal(signal: NodeJS.Signals): void {
    this.#child!.kill(signal);
  }

  /** Sends a signal and waits for the process to exit. */
  async end(signal: NodeJS.Signals): Promise<Ending> {
    this.#child!.kill(signal);
    const ending = await this.#ended!;
    this.#agent.destroy();
    return ending;
  }

  async remove(): Promise<void> {
    if (this.#child !== undefined) await this.end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Returns a part of the kubeconfig, decoded. */
  credential(name: 'client-certificate-data' | 'client-key-data' | 'certificate-authority-data'): string {
    const [, base64] = new RegExp(`^ *${name}: (\\S+)$`, 'm').exec(
      readFileSync(this.kubeconfigFile, 'utf8'),
    )!;
    return Buffer.from(base64!, 'base64').toString();
  }

  /**
   * Sends a request over HTTP/1.1, as the administrator unless `client` is set. Rejects if the connection
   * ends without a response.
   */
  request(path: string, options: RequestOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(`${this.url}${path}`, {
        method: options.method ?? 'GET',
        // Set explicitly: Node omits the length of a DELETE.
        headers: {
          accept: 'application/json',
          ...(options.body === undefined
            ? {}
            : { 'content-length': String(Buffer.byteLength(options.body)) }),
          ...options.headers,
        },
        ca: this.credential('certificate-authority-data'),
        ...(options.client ?? {
          cert: this.credential('client-certificate-data'),
          key: this.credential('client-key-data'),
        }),
        agent: this.#agent,
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      outgoing.end(options.body);
    });
  }

  /** Like `request`, with JSON in both directions. */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const options =
      body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const { status, text } = await this.request(path, { method, ...options });
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }
}
