import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runEnvtestCommand } from '../../../src/cli/envtest/command.ts';
import type { Program } from '../../../src/cli/envtest/program.ts';
import { releaseOf, SERVED_MINORS } from '../../../src/model/scheme.ts';
import { PRODUCT_VERSION } from '../../../src/options/version.ts';

const ARCHIVE = 'envtest-v1.32.13-linux-amd64.tar.gz';

interface Index {
  readonly releases: Readonly<Record<string, Readonly<Record<string, { hash: string; selfLink: string }>>>>;
}

describe('binnacle envtest --index', () => {
  let directory: string;
  let target: string;
  let printed: { out: string; error: string };
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-index-'));
    target = join(directory, 'index');
    printed = { out: '', error: '' };
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const executable = (name: string, content = name): string => {
    writeFileSync(join(directory, name), content, { mode: 0o755 });
    return join(directory, name);
  };
  const run = (words: readonly string[], program: Program, path = '') => {
    const output = {
      out: (text: string) => {
        printed.out += text;
      },
      error: (text: string) => {
        printed.error += text;
      },
    };
    const environment = { program, path, platform: 'linux', architecture: 'x64' } as const;
    return runEnvtestCommand([target, '--index', ...words], environment, output);
  };
  const index = () => load(readFileSync(join(target, 'envtest-releases.yaml'), 'utf8')) as Index;
  /** Names, modes, types and contents of an archive's files, as tar reads them. */
  const unpacked = (archive: string) => {
    const tar = (...words: string[]) =>
      spawnSync('tar', [...words, '-f', join(target, archive)], { encoding: 'utf8' }).stdout;
    return tar('-tv')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const name = line.split(' ').at(-1)!;
        return [line.slice(0, 10), name, tar('-xO', name)];
      });
  };

  it('has an archive of each release that is served', async () => {
    expect(await run([], { executable: executable('binnacle') })).toBe(0);
    expect(Object.keys((index() as { releases: object }).releases)).toEqual(
      SERVED_MINORS.map((minor) => releaseOf(minor).gitVersion),
    );
  });

  it('writes an archive of regular files, and an index that names it', async () => {
    const tools = join(directory, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'kubectl'), 'x'.repeat(512));
    expect(await run(['--kubernetes-version=1.32'], { executable: executable('binnacle') }, tools)).toBe(0);
    expect(printed).toEqual({
      out: 'setup-envtest use --index http://127.0.0.1:8000/envtest-releases.yaml\n',
      error: '',
    });
    expect(readdirSync(target).sort()).toEqual(['envtest-releases.yaml', ARCHIVE]);
    const hash = createHash('sha512')
      .update(readFileSync(join(target, ARCHIVE)))
      .digest('hex');
    expect(index()).toEqual({
      releases: { 'v1.32.13': { [ARCHIVE]: { hash, selfLink: `http://127.0.0.1:8000/${ARCHIVE}` } } },
    });
    expect(unpacked(ARCHIVE)).toEqual([
      ['-rwxr-xr-x', 'controller-tools/envtest/etcd', 'binnacle'],
      ['-rwxr-xr-x', 'controller-tools/envtest/kube-apiserver', 'binnacle'],
      ['-rwxr-xr-x', 'controller-tools/envtest/kubectl', 'x'.repeat(512)],
    ]);
  });

  it('links below any address, and replaces what it wrote before', async () => {
    const program = { executable: executable('binnacle') };
    for (const url of ['https://files.example/a/b', 'https://files.example/a/b/'])
      expect(await run([`--url=${url}`, '--bare'], program)).toBe(0);
    expect(index().releases['v1.32.13']![ARCHIVE]!.selfLink).toBe(`https://files.example/a/b/${ARCHIVE}`);
    expect(unpacked(ARCHIVE)).toContainEqual([
      '-rwxr-xr-x',
      'controller-tools/envtest/binnacle-flags',
      '--controllers=-*\n',
    ]);
  });

  it('has the platforms whose executables are in a folder', async () => {
    for (const suffix of ['linux-x64', 'darwin-arm64', 'win-x64.exe', 'linux-x64.sha256'])
      executable(`binnacle-${PRODUCT_VERSION}-${suffix}`);
    executable('binnacle-99.0.0-linux-arm64');
    const tools = join(directory, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'kubectl'), 'kubectl');
    await run(['--executables', directory], { node: '/opt/node', main: '/opt/main.js' }, tools);
    expect(printed.error).toBe('');
    expect(Object.keys(index().releases['v1.32.13']!).sort()).toEqual([
      'envtest-v1.32.13-darwin-arm64.tar.gz',
      ARCHIVE,
      'envtest-v1.32.13-windows-amd64.tar.gz',
    ]);
    expect(unpacked(ARCHIVE)).toContainEqual(['-rwxr-xr-x', 'controller-tools/envtest/kubectl', 'kubectl']);
    const ofMac = `binnacle-${PRODUCT_VERSION}-darwin-arm64`;
    expect(unpacked('envtest-v1.32.13-darwin-arm64.tar.gz').map(([, , text]) => text)).toEqual([
      ofMac,
      ofMac,
      ofMac,
    ]);
    const [, name] = unpacked('envtest-v1.32.13-windows-amd64.tar.gz')[1]!;
    expect(name).toBe('controller-tools/envtest/kube-apiserver.exe');
  });

  it('says that an archive of Node.js works on this machine only', async () => {
    await run([], { node: '/opt/node', main: '/opt/main.js' });
    expect(printed.error).toMatch(/^[^\n]+ works only here: --executables [^\n]+\n$/);
  });

  it('refuses a folder without executables, and a directory with files of others', async () => {
    const program = { executable: executable('binnacle') };
    await expect(run(['--executables', directory], program)).rejects.toThrow('has no executable binnacle-');
    writeFileSync(join(target, 'notes.txt'), '');
    await expect(run([], program)).rejects.toThrow('contains notes.txt: name a new directory');
  });
});
