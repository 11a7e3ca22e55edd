import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FLAGS_FILE, PROGRAMS, roleWords } from '../../../src/cli/envtest/roles.ts';
import { parseCommandLine } from '../../../src/cli/parse-command-line.ts';

describe('a program that binnacle envtest wrote', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-roles-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** What `kube-apiserver` passes on after the flags of every test environment. */
  const passed = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
    const [...all] = roleWords(join(directory, 'kube-apiserver'), words, environment)!;
    expect(all.splice(0, 4)).toEqual([
      '--storage-backend=memory',
      '--keep-dependents-of-unknown-owners',
      '--namespace-deletion-delay=2s',
      '--kubeconfig-out=',
    ]);
    return all;
  };
  const DEFAULT = '--controllers=namespace-controller,garbage-collector-controller';

  it('has a role by the name of its file', () => {
    expect(PROGRAMS).toEqual(['kube-apiserver', 'etcd', 'kubectl']);
    expect(roleWords('/opt/etcd', ['--version'], {})).toEqual(['envtest', 'etcd-stand-in', '--version']);
    expect(roleWords('C:/bin/ETCD.EXE', [], {})).toBeUndefined();
    expect(roleWords('/opt/etcd.EXE', [], {})).toEqual(['envtest', 'etcd-stand-in']);
    expect(roleWords('/opt/kubectl', ['get', 'pods'], {})).toEqual(['envtest', 'no-kubectl']);
    expect(roleWords('/opt/binnacle', ['serve'], {})).toBeUndefined();
    expect(roleWords('/opt/constructor', [], {})).toBeUndefined();
  });

  it.each([
    [['--etcd-servers=http://127.0.0.1:2379', '--v=1']],
    [['--etcd-servers', 'http://127.0.0.1:2379', '--v=1']],
    [['--etcd_servers', 'http://127.0.0.1:2379', '--storage-backend', 'etcd3', '--v=1']],
    [['--storage-backend=etcd3', '--v=1']],
  ])('keeps objects in memory with %j', (words) => {
    expect(passed(words)).toEqual([DEFAULT, '--v=1']);
  });

  it.each([
    [['--storage-backend=embedded', '--data-dir', 'a b']],
    [['--storage-backend', 'embedded', '--data-dir', 'a b']],
  ])('lets the flags %j of the harness win', (words) => {
    expect(passed(words)).toEqual([DEFAULT, ...words]);
    const { options } = parseCommandLine(roleWords(join(directory, 'kube-apiserver'), words, {})!);
    expect(options).toMatchObject({ storageBackend: 'embedded', dataDir: 'a b' });
  });

  it('takes the controllers of the last that names them: its directory, the environment, the harness', () => {
    expect(passed([])).toEqual([DEFAULT]);
    writeFileSync(join(directory, FLAGS_FILE), '--controllers=-*\n\n  --v=2\n');
    expect(passed([])).toEqual(['--controllers=-*', '--v=2']);
    expect(passed([], { BINNACLE_CONTROLLERS: '' })).toEqual(['--controllers=-*', '--v=2']);
    const environment = { BINNACLE_CONTROLLERS: '*' };
    expect(passed([], environment)).toEqual(['--v=2', '--controllers=*']);
    expect(passed(['--controllers', 'a'], environment)).toEqual(['--v=2', '--controllers', 'a']);
    expect(passed(['--controllers=a', '--controllers=b'], environment)).toEqual([
      '--v=2',
      '--controllers=a',
      '--controllers=b',
    ]);
  });

  it('reports flags beside it that can not be read', () => {
    mkdirSync(join(directory, FLAGS_FILE));
    expect(() => passed([])).toThrow('EISDIR');
  });
});
