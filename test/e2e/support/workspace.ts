import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CodeBlock, ROOT } from '../../support/documents.ts';
import { COMMAND } from './command.ts';

const SHARED = [
  'package.json',
  'tsconfig.json',
  'dist',
  'node_modules',
  'src',
  'scripts',
  'examples',
  'docs',
];

/** A directory like a clone, with the built command on its path. */
export class Workspace {
  readonly directory = mkdtempSync(join(tmpdir(), 'binnacle-documents-'));
  readonly #environment: NodeJS.ProcessEnv;
  #server: ChildProcess | undefined;

  constructor() {
    for (const name of SHARED) symlinkSync(join(ROOT, name), join(this.directory, name));
    const bin = join(this.directory, 'bin');
    mkdirSync(bin);
    const shim = `#!/bin/sh\nexec ${COMMAND.map((word) => `'${word}'`).join(' ')} "$@"\n`;
    writeFileSync(join(bin, 'binnacle'), shim);
    chmodSync(join(bin, 'binnacle'), 0o755);
    const { KUBECONFIG: _, ...environment } = process.env;
    this.#environment = { ...environment, HOME: this.directory, PATH: `${bin}:${process.env['PATH']}` };
  }

  /** Runs a command. @returns what it prints @throws Error with its output if it fails */
  run(command: string): string {
    const options = {
      cwd: this.directory,
      env: this.#environment,
      encoding: 'utf8',
      timeout: 120_000,
    } as const;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
    if (status !== 0) throw new Error(`${command}: exit status ${status}\n${stdout}${stderr}`);
    return stdout;
  }

  /** Stops the current server, starts another one, and resolves when it is ready. */
  async serve(command: string): Promise<void> {
    await this.stop();
    const server = spawn('sh', ['-c', command], {
      cwd: this.directory,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group: npm starts the server as a child of a shell.
      detached: true,
    });
    this.#server = server;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('is ready at')) resolve();
      };
      server.stdout.on('data', read);
      server.stderr.on('data', read);
      server.on('close', (code) => reject(new Error(`${command}: ended with ${code}\n${output}`)));
    });
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    if (server.exitCode !== null) return;
    const closed = new Promise((resolve) => server.on('close', resolve));
    process.kill(-server.pid!, 'SIGTERM');
    await closed;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The commands of a block of shell, each on one line. */
export const commandsOf = (block: CodeBlock): string[] =>
  block.text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
