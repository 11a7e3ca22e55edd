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
    await expect(run(words)).rejects.toThrow('envtest takes one directory: binnacle envtest DIR');
  });

  it('explains itself', async () => {
    expect(await run(['--help'])).toBe(0);
    expect(printed).toContain('KUBEBUILDER_ASSETS');
  });

  it('needs the URL that envtest gives to etcd', async () => {
    await expect(run(['etcd-stand-in', '--name=x'])).rejects.toThrow('--listen-client-urls must be one URL');
  });
});
