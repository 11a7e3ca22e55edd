import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runEnvtestCommand } from '../../../src/cli/envtest/command.ts';
import type { Program } from '../../../src/cli/envtest/program.ts';
import { roleWords } from '../../../src/cli/envtest/roles.ts';
import { parseCommandLine } from '../../../src/cli/parse-command-line.ts';
import { DEFAULT_MINOR, releaseOf, SERVED_MINORS } from '../../../src/model/scheme.ts';
import { PRODUCT_VERSION } from '../../../src/options/version.ts';

const NODE = { node: '/opt/node', main: '/opt/binnacle/main.js' };
const STORE = 'k8s/1.32.13-linux-amd64';

describe('binnacle envtest', () => {
  let directory: string;
  let printed: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
    printed = '';
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const run = (
    words: readonly string[],
    path = '',
    program: Program = NODE,
    platform: NodeJS.Platform = 'linux',
  ) => {
    const out = (text: string) => {
      printed += text;
    };
    const environment = { program, path, platform, architecture: 'x64' } as const;
    return runEnvtestCommand(words, environment, { out, error: out });
  };
  /** Writes an executable file of another program. */
  const tool = (name: string, text: string): string => {
    mkdirSync(join(directory, 'tools'), { recursive: true });
    writeFileSync(join(directory, 'tools', name), text, { mode: 0o755 });
    return join(directory, 'tools');
  };

  it.each([[''], [STORE]])('writes regular, executable files into DIR/%s', async (below) => {
    const target = join(directory, 'new/bin');
    expect(await run([target])).toBe(0);
    expect(printed).toBe(`export KUBEBUILDER_ASSETS=${target}\n`);
    const names = readdirSync(join(target, below)).filter((name) => name !== 'k8s');
    expect(names.sort()).toEqual(['etcd', 'kube-apiserver', 'kubectl']);
    for (const name of names) {
      const found = lstatSync(join(target, below, name));
      expect([found.isFile(), found.mode & 0o777]).toEqual([true, 0o755]);
    }
  });

  it('starts Node.js without a shell', async () => {
    await run([join(directory, 'bin')]);
    expect(readFileSync(join(directory, 'bin/etcd'), 'utf8')).toBe('#!/opt/node /opt/binnacle/main.js\n');
    await run([join(directory, 'spaces')], '', { ...NODE, node: '/opt/my "node"/node' });
    expect(readFileSync(join(directory, 'spaces/etcd'), 'utf8')).toBe(
      '#!/usr/bin/env -S "/opt/my \\"node\\"/node" "/opt/binnacle/main.js"\n',
    );
    const long = { ...NODE, node: `/${'n'.repeat(240)}` };
    await expect(run([join(directory, 'long')], '', long)).rejects.toThrow('too long for the first line');
  });

  it('copies the executable, with the ending that Windows needs', async () => {
    const executable = join(tool('binnacle-1', 'content'), 'binnacle-1');
    await run([join(directory, "it's")], '', { executable }, 'win32');
    expect(printed).toBe(`$env:KUBEBUILDER_ASSETS = '${directory}/it''s'\n`);
    for (const name of [
      'etcd.exe',
      'kube-apiserver.exe',
      'kubectl.exe',
      'k8s/1.32.13-windows-amd64/etcd.exe',
    ])
      expect(readFileSync(join(directory, "it's", name), 'utf8')).toBe('content');
    rmSync(executable);
    expect(readFileSync(join(directory, "it's/etcd.exe"), 'utf8')).toBe('content');
  });

  it.each([
    [PRODUCT_VERSION, 'the executable'],
    ['99.0.0', '#!/opt/node'],
  ])('takes the executable that npm has installed beside it with version %s', async (version, expected) => {
    const modules = join(directory, 'node_modules');
    const executable = join(modules, '@binnacle/linux-x64');
    mkdirSync(join(executable, 'bin'), { recursive: true });
    writeFileSync(join(executable, 'package.json'), JSON.stringify({ version }));
    writeFileSync(join(executable, 'bin/binnacle'), 'the executable');
    await run([join(directory, 'bin')], '', { ...NODE, main: join(modules, 'binnacle/dist/main.js') });
    expect(readFileSync(join(directory, 'bin/etcd'), 'utf8')).toContain(expected);
  });

  it('copies kubectl from the path and replaces what it wrote before', async () => {
    const tools = tool('real', 'kubectl');
    symlinkSync('real', join(tools, 'kubectl'));
    const target = join(directory, 'bin');
    // The path may also have the directory that is written.
    for (const path of [tools, `/nowhere::${target}:${tools}`]) {
      expect(await run([target], path)).toBe(0);
      for (const file of [join(target, 'kubectl'), join(target, STORE, 'kubectl')]) {
        expect(lstatSync(file).isFile()).toBe(true);
        expect(readFileSync(file, 'utf8')).toBe('kubectl');
      }
    }
  });

  it('says in one line where kubectl is to be had', async () => {
    expect(await run(['no-kubectl'])).toBe(1);
    expect(printed).toMatch(/^Error: no kubectl was on the PATH [^\n]+ install one [^\n]+\n$/);
  });

  it('keeps --bare beside the programs, until it is run without', async () => {
    const target = join(directory, 'bin');
    await run([target, '--bare']);
    for (const below of ['', STORE])
      expect(readFileSync(join(target, below, 'binnacle-flags'), 'utf8')).toBe('--controllers=-*\n');
    await run([target]);
    for (const below of ['', STORE]) expect(readdirSync(join(target, below))).not.toContain('binnacle-flags');
  });

  it('leaves the other releases of a store alone', async () => {
    const other = join(directory, 'k8s/1.31.0-linux-amd64');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'etcd'), 'real');
    await run([directory]);
    expect(readFileSync(join(other, 'etcd'), 'utf8')).toBe('real');
  });

  it.each([['notes.txt'], [`${STORE}/notes.txt`]])('refuses a directory with %s of others', async (name) => {
    mkdirSync(join(directory, STORE), { recursive: true });
    writeFileSync(join(directory, name), '');
    await expect(run([directory])).rejects.toThrow('contains notes.txt: name a new directory');
    expect(readdirSync(directory)).not.toContain('etcd');
  });

  it.each([
    [[], 'envtest takes one directory: binnacle envtest DIR [flags]'],
    [['a', 'b'], 'envtest takes one directory'],
    [['a', '--baer'], 'unknown flag: --baer; did you mean --bare?'],
    [['a', '--bare=false'], 'unknown flag: --bare=false; did you mean --bare?'],
    [['a', '--url=http://a'], '--url is for an index: add --index'],
    [['a', '--index', '--url'], 'flag needs an argument: --url'],
    [['a', '--index', '--url=ftp://a'], '--url must be the http or https URL'],
    [['a', '--kubernetes-version=1.31'], 'invalid value "1.31" for --kubernetes-version: use one of 1.32, '],
  ])('refuses %j', async (words, message) => {
    await expect(run(words)).rejects.toThrow(message);
  });

  it.each(SERVED_MINORS)('writes programs that serve %s', async (minor) => {
    const target = join(directory, 'bin');
    expect(await run([target, `--kubernetes-version=${minor}`])).toBe(0);
    const [name, ...others] = readdirSync(join(target, 'k8s'));
    expect([name, others]).toEqual([`${releaseOf(minor).gitVersion.slice(1)}-linux-amd64`, []]);
    for (const folder of [target, join(target, 'k8s', name!)]) {
      const words = roleWords(join(folder, 'kube-apiserver'), [], {})!;
      expect(parseCommandLine(words).options.kubernetesVersion ?? DEFAULT_MINOR).toBe(minor);
    }
  });

  it('writes the programs of all releases that are complete', async () => {
    const target = join(directory, 'bin');
    await run([target]);
    expect(readdirSync(join(target, 'k8s'))).toEqual(
      SERVED_MINORS.map(releaseOf)
        .filter(({ state }) => state === 'complete')
        .map(({ gitVersion }) => `${gitVersion.slice(1)}-linux-amd64`),
    );
    expect(readdirSync(target)).not.toContain('binnacle-flags');
  });

  it('explains itself', async () => {
    expect(await run(['--help'])).toBe(0);
    expect(printed).toContain('KUBEBUILDER_ASSETS');
  });
});
