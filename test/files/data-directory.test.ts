import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  backupDataDirectory,
  checkDataDirectory,
  dataPaths,
  KUBECONFIG_MARK,
} from '../../src/files/data-directory.ts';
import { startServer } from '../../src/server.ts';
import { temporaryDirectory } from '../options/fixtures.ts';

const ADVICE = { source: 'name a source', target: 'name a target' };

describe('backup of a data directory', () => {
  const source = () => {
    const directory = temporaryDirectory();
    const paths = dataPaths(directory);
    mkdirSync(paths.storage);
    mkdirSync(paths.certificates);
    writeFileSync(join(paths.certificates, 'ca.key'), 'key', { mode: 0o600 });
    writeFileSync(paths.serviceAccountKey, 'key', { mode: 0o600 });
    writeFileSync(paths.kubeconfig, 'kubeconfig');
    return directory;
  };
  const copyStore = async (from: string, to: string) => {
    expect(existsSync(from)).toBe(true);
    mkdirSync(to);
  };

  it('contains the objects and the keys', async () => {
    const target = join(temporaryDirectory(), 'copy');
    await backupDataDirectory(source(), target, copyStore, ADVICE);
    const paths = dataPaths(target);
    expect(existsSync(paths.storage)).toBe(true);
    for (const file of [join(paths.certificates, 'ca.key'), paths.serviceAccountKey]) {
      expect(readFileSync(file, 'utf8')).toBe('key');
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(existsSync(paths.kubeconfig)).toBe(false);
  });

  it('rejects a source that is not a data directory, and a target that is not empty', async () => {
    await expect(backupDataDirectory(temporaryDirectory(), '/nowhere', copyStore, ADVICE)).rejects.toThrow(
      /^\/\S+ has no objects of a server \(\/\S+\/store\): name a source$/,
    );
    for (const entry of ['store', 'kubeconfig', 'notes.txt', '.hidden']) {
      const target = temporaryDirectory();
      writeFileSync(join(target, entry), '');
      await expect(backupDataDirectory(source(), target, copyStore, ADVICE)).rejects.toThrow(
        `${target} is not empty (${entry}): name a target`,
      );
      expect(readdirSync(target)).toEqual([entry]);
    }
  });

  it('takes an empty directory of a new file system or of a repository', async () => {
    const target = temporaryDirectory();
    mkdirSync(join(target, 'lost+found'));
    writeFileSync(join(target, '.gitkeep'), '');
    await backupDataDirectory(source(), target, copyStore, ADVICE);
    expect(existsSync(dataPaths(target).storage)).toBe(true);
  });
});

describe('a data directory', () => {
  const directoryWith = (files: Readonly<Record<string, string>>): string => {
    const directory = temporaryDirectory();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
    return directory;
  };

  it.each([
    [{}],
    [{ 'lost+found/x': '', '.gitkeep': '' }],
    // Certificates that were put there before the first start.
    [{ 'pki/ca.crt': '', 'pki/ca.key': '' }],
    // The first start was interrupted.
    [{ 'store/binnacle-storage.new': '', 'service-account.key.0a1b2c.tmp': '' }],
    [{ 'store/binnacle-storage': '', 'pki/ca.crt': '', 'notes.txt': '' }],
    // With etcd there is no store.
    [{ 'service-account.key': '', 'notes.txt': '' }],
    [{ kubeconfig: `${KUBECONFIG_MARK}\n`, 'notes.txt': '' }],
  ])('may contain %j', (files) => {
    expect(() => checkDataDirectory(directoryWith(files))).not.toThrow();
  });

  it('may be absent', () => {
    expect(() => checkDataDirectory(join(temporaryDirectory(), 'a/b'))).not.toThrow();
  });

  it.each([
    ['passwd', { passwd: '', 'pki/ca.crt': '' }],
    ['admin.conf', { 'admin.conf': '', 'pki/ca.crt': '', 'pki/ca.key': '' }],
    ['config', { kubeconfig: 'apiVersion: v1', config: '' }],
    ['.git', { '.git/HEAD': '', '.gitkeep': '' }],
    ['storefront', { 'storefront/x': '' }],
  ])('is not one with %s', (entry, files) => {
    const directory = directoryWith(files);
    expect(() => checkDataDirectory(directory)).toThrow(
      `${directory} contains other files (${entry}) and is not a data directory: name a new or empty directory with --data-dir`,
    );
  });

  it('is the working directory when the name is empty', () => {
    expect(() => checkDataDirectory('')).toThrow('and is not a data directory');
  });

  it('is not taken by a server from others', async () => {
    const directory = directoryWith({ 'notes.txt': '' });
    await expect(
      startServer({ dataDir: directory, securePort: 0 }, { log: () => undefined }),
    ).rejects.toThrow(`${directory} contains other files (notes.txt)`);
    expect(readdirSync(directory)).toEqual(['notes.txt']);
  });
});
