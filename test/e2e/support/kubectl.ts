import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltServer } from './built-server.ts';

/** Whether kubectl is installed; tests that need it are skipped otherwise. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The installed kubectl, configured for one server with a separate cache and home directory. */
export class Kubectl {
  readonly #home: string;

  constructor(private readonly server: BuiltServer) {
    this.#home = join(server.directory, 'home');
    mkdirSync(this.#home, { recursive: true });
  }

  /** Starts kubectl; the caller reads its output and ends it. */
  spawn(words: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#home,
      KUBECONFIG: this.server.kubeconfigFile,
      ...environment,
    };
    return spawn('kubectl', words, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** Runs kubectl and returns its result, even a failure. */
  try(words: readonly string[], { input, environment }: KubectlOptions = {}): Promise<KubectlResult> {
    const child = this.spawn(words, environment);
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdin!.end(input);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** Runs kubectl and returns its output. @throws Error if it fails */
  async run(words: string, options?: KubectlOptions): Promise<string> {
    const { code, stdout, stderr } = await this.try(words.split(' '), options);
    if (code !== 0) throw new Error(`kubectl ${words} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }
}
