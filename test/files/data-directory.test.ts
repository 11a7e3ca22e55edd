import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupDataDirectory, dataPaths } from '../../src/files/data-directory.ts';
import { temporaryDirectory } from '../options/fixtures.ts';

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
    await backupDataDirectory(source(), target, copyStore);
    const paths = dataPaths(target);
    expect(existsSync(paths.storage)).toBe(true);
    for (const file of [join(paths.certificates, 'ca.key'), paths.serviceAccountKey]) {
      expect(readFileSync(file, 'utf8')).toBe('key');
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(existsSync(paths.kubeconfig)).toBe(false);
  });

  it('rejects a source that is not a data directory, and an existing target', async () => {
    await expect(backupDataDirectory(temporaryDirectory(), '/nowhere', copyStore)).rejects.toThrow(
      'is not the data directory of a server',
    );
    const other = source();
    await expect(backupDataDirectory(source(), other, copyStore)).rejects.toThrow(
      `${dataPaths(other).storage} exists: choose a new directory for the backup`,
    );
  });
});
