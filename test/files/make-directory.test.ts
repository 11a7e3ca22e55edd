import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeDirectories } from '../../src/files/make-directory.ts';

describe('makeDirectories', () => {
  const root = mkdtempSync(join(tmpdir(), 'binnacle-directories-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('creates parents for the owner only, and keeps existing ones', () => {
    makeDirectories(join(root, 'a/b/c'));
    makeDirectories(join(root, 'a/b/c'));
    for (const part of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, part)).mode & 0o777).toBe(0o700);
  });

  it('rejects a file, and a path below a file', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => makeDirectories(join(root, 'file'))).toThrow('EEXIST');
    expect(() => makeDirectories(join(root, 'file/below'))).toThrow('ENOTDIR');
  });

  it.skipIf(!existsSync('/proc/self'))('returns for a parent that cannot contain directories', () => {
    expect(() => makeDirectories('/proc/no/such/place')).toThrow();
  });
});
