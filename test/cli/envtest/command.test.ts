import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runEnvtestCommand } from '../../../src/cli/envtest/command.ts';

describe('binnacle envtest', () => {
  let directory: string;
  let printed: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
    printed = '';
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const run = (words: readonly string[], path = '') => {
    const out = (text: string) => {
      printed += text;
    };
    const program = { node: '/opt/my node/bin/node', main: '/opt/binnacle/main.js', path };
    return runEnvtestCommand(words, program, { out, error: out });
  };

  it('writes scripts that start this program', async () => {
    const target = join(directory, 'new/bin');
    expect(await run([target])).toBe(0);
    expect(printed).toBe(`export KUBEBUILDER_ASSETS=${target}\n`);
    expect(readdirSync(target).sort()).toEqual(['etcd', 'kube-apiserver']);
    for (const name of ['etcd', 'kube-apiserver']) {
      expect(statSync(join(target, name)).mode & 0o777).toBe(0o755);
      expect(readFileSync(join(target, name), 'utf8')).toContain(
        "exec '/opt/my node/bin/node' /opt/binnacle/main.js ",
      );
    }
  });

  it('links kubectl from the path and replaces what it wrote before', async () => {
    const tools = join(directory, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'kubectl'), '');
    const target = join(directory, 'bin');
    for (const path of [tools, `/nowhere:${tools}`]) expect(await run([target], path)).toBe(0);
    expect(readlinkSync(join(target, 'kubectl'))).toBe(join(tools, 'kubectl'));
  });

  it('refuses a directory with files of others', async () => {
    writeFileSync(join(directory, 'notes.txt'), '');
    await expect(run([directory])).rejects.toThrow(`${directory} contains notes.txt: name a new directory`);
    expect(readdirSync(directory)).toEqual(['notes.txt']);
  });

  it.each([[[]], [['a', 'b']], [['--dir=a']]])('refuses the arguments %j', async (words) => {
    await expect(run(words)).rejects.toThrow('envtest takes one directory: binnacle envtest DIR [--bare]');
  });

  it('explains itself', async () => {
    expect(await run(['--help'])).toBe(0);
    expect(printed).toContain('KUBEBUILDER_ASSETS');
  });

  it.each([
    [[], {}, 'namespace-controller,garbage-collector-controller'],
    [['--bare'], {}, '-*'],
    [[], { BINNACLE_CONTROLLERS: '-*' }, '-*'],
    [['--bare'], { BINNACLE_CONTROLLERS: '*' }, '*'],
  ])('passes the controllers, with %j in %j', async (flags, environment, controllers) => {
    const argumentsOf = await writtenWithEcho(flags, environment);
    expect(argumentsOf('--etcd-servers=http://127.0.0.1:2379', '--v=1', 'a b')).toEqual([
      `--controllers=${controllers}`,
      '--v=1',
      'a b',
    ]);
    expect(argumentsOf('--controllers=*', '--controllers=-*')).toEqual([
      '--controllers=*',
      '--controllers=-*',
    ]);
  });

  /** Returns a function that runs the written `kube-apiserver` and returns what it passes on. */
  const writtenWithEcho = async (flags: readonly string[], environment: NodeJS.ProcessEnv) => {
    const echo = join(directory, 'echo');
    writeFileSync(echo, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const program = { node: echo, main: 'main.js', path: '' };
    const nothing = () => undefined;
    await runEnvtestCommand([join(directory, 'bin'), ...flags], program, { out: nothing, error: nothing });
    return (...words: readonly string[]): string[] => {
      const { stdout } = spawnSync(join(directory, 'bin/kube-apiserver'), words, {
        encoding: 'utf8',
        env: environment,
      });
      const [main, ...passed] = stdout.trimEnd().split('\n');
      expect([main, ...passed.splice(0, 4)]).toEqual([
        'main.js',
        '--storage-backend=memory',
        '--keep-dependents-of-unknown-owners',
        '--namespace-deletion-delay=2s',
        '--kubeconfig-out=',
      ]);
      return passed;
    };
  };

  it('needs the URL that envtest gives to etcd', async () => {
    await expect(run(['etcd-stand-in', '--name=x'])).rejects.toThrow('--listen-client-urls must be one URL');
  });
});
