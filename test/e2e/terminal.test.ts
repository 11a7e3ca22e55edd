import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { COMMAND, EXECUTABLE, MAIN } from './support/command.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));

describe('the command at a terminal', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-terminal-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Runs the command, unless `program` names another, and returns its result. */
  function run(words: string[], program: readonly string[] = COMMAND) {
    const [file, ...more] = [...program, ...words] as [string, ...string[]];
    const { status, stdout, stderr } = spawnSync(file, more, {
      cwd: directory,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, stdout, stderr };
  }

  describe.skipIf(EXECUTABLE !== undefined)('with Node.js', () => {
    /** Arguments that make Node.js report another version. */
    function asVersion(version: string): string[] {
      const file = join(directory, 'version.cjs');
      const versions = `Object.freeze({ ...process.versions, node: '${version}' })`;
      writeFileSync(file, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
      return ['--require', file];
    }

    /** A copy of the program in which every other file has a syntax error. */
    function unparsable(): string {
      const copy = join(directory, 'copy');
      mkdirSync(join(copy, 'chunks'), { recursive: true });
      copyFileSync(join(DIST, 'main.js'), join(copy, 'main.js'));
      for (const name of readdirSync(join(DIST, 'chunks')))
        writeFileSync(join(copy, 'chunks', name), 'let = = ;');
      writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
      return join(copy, 'main.js');
    }

    it.each(['18.20.4', '20.18.3', '8.17.0'])(
      'rejects Node.js %s before anything else is parsed',
      (version) => {
        const { engines } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { engines: { node: string } };
        const result = run([], [process.execPath, ...asVersion(version), unparsable()]);
        expect(result).toMatchObject({ status: 1, stdout: '' });
        expect(result.stderr).toMatch(/^Error: [^\n]+\n$/);
        expect(result.stderr).toContain(
          `needs Node.js ${engines.node.replace('>=', '')} or later, and this is ${version}`,
        );
      },
    );

    it.each(['20.19.0', '22.0.0', '100.1.0'])('accepts Node.js %s', (version) => {
      expect(run(['version'], [process.execPath, ...asVersion(version), MAIN])).toMatchObject({
        status: 0,
        stderr: '',
      });
    });

    it('reports load errors in one line', () => {
      const { status, stderr } = run([], [process.execPath, unparsable()]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Error: Binnacle cannot load: [^\n]+\n$/);
    });
  });

  it.each([
    [['--secure-prot=1'], 'unknown flag: --secure-prot; did you mean --secure-port?'],
    [['bakcup'], 'unknown command "bakcup" for "binnacle"; did you mean binnacle backup?'],
    [
      ['--authorization-policy-file=none.jsonl', '--authorization-mode=ABAC'],
      'none.jsonl: no such file or directory',
    ],
    [
      ['--bind-address=192.0.2.1'],
      'failed to create listener: 192.0.2.1 is not a local address: change --bind-address',
    ],
    [
      ['backup', 'copy'],
      '.binnacle has no objects of a server (.binnacle/store): name the data directory of a server with --data-dir',
    ],
    [['cel', '1', '--shcema=a'], 'unknown flag: --shcema; did you mean --schema?'],
  ])('reports the failure of %j in one plain line', (words, message) => {
    const { status, stdout, stderr } = run(words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  it('prints help of commands', () => {
    expect(run(['help', 'cel'])).toEqual(run(['cel', '--help']));
    expect(run(['help', 'backup'])).toEqual(run(['backup', '--help']));
    expect(run(['help'])).toEqual(run(['--help']));
    expect(run(['help', 'cel'])).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('--schema FILE'),
    });
  });

  it('serves from memory without files, and prints that', async () => {
    const server = new BuiltServer(['--storage-backend=memory']);
    try {
      await server.start();
      expect(server.output).toContain('in memory: objects are lost when the server stops');
      expect(server.output).toContain('not written');
      expect(readdirSync(server.directory)).toEqual([]);
    } finally {
      await server.remove();
    }
  });
});

describe('the default port', () => {
  it('falls back to the next free one, and prints that', async () => {
    const taken = createServer();
    // The port may already be in use, which has the same effect.
    await new Promise<void>((resolve) =>
      taken.on('error', () => resolve()).listen(6443, '127.0.0.1', () => resolve()),
    );
    const server = new BuiltServer([], { port: undefined });
    try {
      await server.start();
      expect(server.url).not.toBe('https://127.0.0.1:6443');
      expect(server.output).toContain(`6443 is in use: serving on ${new URL(server.url).port}`);
    } finally {
      await server.remove();
      await new Promise((resolve) => taken.close(resolve));
    }
  });
});
