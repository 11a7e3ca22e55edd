import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/codec/yaml.ts';
import { type CodeBlock, codeBlocks, PAGES, ROOT } from '../support/documents.ts';
import { COMMAND } from './support/command.ts';

/** Commands that are not run here, with the reason. */
const NOT_RUN: ReadonlyMap<string, string> = new Map([
  ['npm ci', 'replaces node_modules; a step of .ci/run'],
  ['npm run hooks', 'changes the configuration of the repository'],
  ['npm run build', 'replaces dist/, which other tests use; a step of .ci/run'],
  ['npm run release:check', 'replaces dist/, which other tests use; release.test.ts has its parts'],
  ['npm run bench', 'measures for half an hour'],
  ['npm run bench -- get list', 'measures, which other tests disturb'],
  ['npm run lint', 'a step of .ci/run'],
  ['npm run typecheck', 'a step of .ci/run'],
  ['npm run unused', 'a step of .ci/run'],
  ['npx vitest run test/cli', 'runs unit tests, which .ci/run does'],
  ['go test ./...', "runs the tests of the reader's own operator"],
  ['npm run executables -- linux-x64', 'asks the package registry; a step of .ci/full'],
  ['node scripts/complete-lockfile.mjs', 'asks the package registry'],
]);

/** Commands that need an etcd cluster; `npm run test:etcd` runs servers and commands on one. */
const NEEDS_ETCD = /--etcd-servers=|\betcd:http/;

/** Commands that run until they are stopped. */
const SERVERS: ReadonlySet<string> = new Set([
  'npm start',
  'binnacle --data-dir=backup-1',
  'binnacle --simulate-nodes=3',
]);

/** Languages of code that runs here. */
const RUN = ['sh', 'js', 'yaml'];
/** Output, drawings, and excerpts in the languages of the wrappers, whose tests have the same calls. */
const SHOWN = ['text', 'mermaid', 'csharp', 'go', 'ini', 'java', 'python', 'rust', 'toml', 'xml'];
const HAS_KUBECTL = spawnSync('kubectl', ['version', '--client']).status === 0;
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
class Workspace {
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

  /** Runs a command. @throws Error with its output if it fails */
  run(command: string): void {
    const options = {
      cwd: this.directory,
      env: this.#environment,
      encoding: 'utf8',
      timeout: 120_000,
    } as const;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
    if (status !== 0) throw new Error(`${command}: exit status ${status}\n${stdout}${stderr}`);
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

const commandsOf = (block: CodeBlock): string[] =>
  block.text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

const blocksOf = (page: string, language: string) =>
  codeBlocks(page).filter((block) => block.language === language);

describe('documented commands', () => {
  let workspace: Workspace | undefined;
  afterEach(async () => {
    await workspace?.remove();
    workspace = undefined;
  });

  const withCommands = PAGES.filter((page) => blocksOf(page, 'sh').length > 0);

  it.each(withCommands)('of %s succeed', async (page) => {
    workspace = new Workspace();
    const commands = blocksOf(page, 'sh').flatMap(commandsOf);
    // A page may require a server that its reader has started.
    const needsServer = commands.some((command) => /^kubectl|^binnacle backup/.test(command));
    if (needsServer && !SERVERS.has(commands[0]!)) await workspace.serve('binnacle');
    for (const command of commands) {
      if (NOT_RUN.has(command) || NEEDS_ETCD.test(command) || (command.startsWith('kubectl') && !HAS_KUBECTL))
        continue;
      if (SERVERS.has(command)) await workspace.serve(command);
      else workspace.run(command);
    }
  });

  it.each(PAGES.flatMap((page) => blocksOf(page, 'js')))(
    'as a program at $page:$line succeeds',
    ({ text }) => {
      workspace = new Workspace();
      writeFileSync(join(workspace.directory, 'program.mjs'), text);
      workspace.run(`'${process.execPath}' program.mjs`);
    },
  );

  it.each(PAGES.flatMap((page) => blocksOf(page, 'yaml')))('document at $page:$line is YAML', ({ text }) =>
    expect(parseYaml(Buffer.from(text)).duplicates).toEqual([]),
  );

  it('are in blocks of known languages', () => {
    const unknown = PAGES.flatMap(codeBlocks).filter(
      ({ language }) => ![...RUN, ...SHOWN].includes(language),
    );
    expect(unknown).toEqual([]);
  });

  it('are listed as not run, or as servers, only while a page has them', () => {
    const documented = new Set(PAGES.flatMap((page) => blocksOf(page, 'sh').flatMap(commandsOf)));
    expect([...NOT_RUN.keys(), ...SERVERS].filter((command) => !documented.has(command))).toEqual([]);
  });
});
