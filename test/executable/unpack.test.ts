import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
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
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadLibrary } from '../../src/executable/addon.ts';
import { type EmbeddedLibrary, unpack, unpackFolders } from '../../src/executable/unpack.ts';

const CONTENT = Buffer.from('library');
const LIBRARY: EmbeddedLibrary = {
  name: 'lmdb-1',
  hash: createHash('sha256').update(CONTENT).digest('hex'),
  bytes: () => CONTENT,
};
const USER = process.getuid!();
const IS_ROOT = USER === 0;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-unpack-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the folders of unpacked files', () => {
  const folders = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv, home?: string, user?: number) =>
    unpackFolders({ platform, environment, home, user, temporary: '/tmp' });

  it.each([
    ['linux', {}, '/home/a', 5, ['/home/a/.cache/binnacle', '/tmp/binnacle-5']],
    ['linux', { XDG_CACHE_HOME: '/cache' }, '/home/a', 5, ['/cache/binnacle', '/tmp/binnacle-5']],
    ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/a', 5, ['/home/a/.cache/binnacle', '/tmp/binnacle-5']],
    ['linux', {}, undefined, 5, ['/tmp/binnacle-5']],
    ['darwin', {}, '/Users/a', 5, ['/Users/a/Library/Caches/binnacle', '/tmp/binnacle-5']],
    ['win32', { LOCALAPPDATA: '/local' }, '/a', undefined, ['/local/binnacle', '/tmp/binnacle']],
    ['win32', {}, '/a', undefined, ['/a/AppData/Local/binnacle', '/tmp/binnacle']],
  ] as const)('on %s with %j in the home %s are in the cache, then the temporary folder', (...row) => {
    const [platform, environment, home, user, expected] = row;
    expect(folders(platform, environment, home, user)).toEqual(expected);
  });
});

describe('unpacking', () => {
  it('makes a folder for its owner, and writes once', () => {
    const folder = join(directory, 'cache/binnacle');
    const file = unpack(LIBRARY, folder, USER);
    expect(readFileSync(file)).toEqual(CONTENT);
    expect([lstatSync(folder).mode & 0o777, lstatSync(file).mode & 0o777]).toEqual([0o700, 0o700]);
    const { ino } = lstatSync(file);
    expect(unpack(LIBRARY, folder, USER)).toBe(file);
    expect(lstatSync(file).ino).toBe(ino);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it.each(['content', 'permissions', 'a link'])('replaces a file with other %s', (what) => {
    chmodSync(directory, 0o700);
    const file = unpack(LIBRARY, directory, USER);
    if (what === 'content') writeFileSync(file, 'other');
    if (what === 'permissions') chmodSync(file, 0o777);
    if (what === 'a link') {
      writeFileSync(join(directory, 'elsewhere'), CONTENT);
      rmSync(file);
      symlinkSync('elsewhere', file);
    }
    expect(unpack(LIBRARY, directory, USER)).toBe(file);
    expect(lstatSync(file).isFile()).toBe(true);
    expect(lstatSync(file).mode & 0o777).toBe(0o700);
    expect(readFileSync(file)).toEqual(CONTENT);
  });

  it('refuses a folder that others can write, or that is a link', () => {
    const open = join(directory, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(() => unpack(LIBRARY, open, USER)).toThrow('can be written by others');
    mkdirSync(join(directory, 'target'));
    symlinkSync('target', join(directory, 'link'));
    expect(() => unpack(LIBRARY, join(directory, 'link'), USER)).toThrow('can be written by others');
    expect(readdirSync(join(directory, 'target'))).toEqual([]);
  });

  it.skipIf(!IS_ROOT)('refuses what belongs to another user than root', () => {
    const folder = join(directory, 'foreign');
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 12_345, 12_345);
    expect(() => unpack(LIBRARY, folder, USER)).toThrow('belongs to user 12345');
    // What root has prepared is good for every user.
    chownSync(folder, 0, 0);
    const file = unpack(LIBRARY, folder, 12_345);
    chownSync(file, 54_321, 54_321);
    unpack(LIBRARY, folder, 12_345);
    expect(lstatSync(file).uid).toBe(0);
  });

  it('leaves nothing behind when it can not write', () => {
    chmodSync(directory, 0o700);
    const file = unpack(LIBRARY, directory, USER);
    rmSync(file);
    mkdirSync(join(file, 'in the way'), { recursive: true });
    expect(() => unpack(LIBRARY, directory, USER)).toThrow();
    expect(readdirSync(directory)).toEqual([file.slice(directory.length + 1)]);
  });
});

describe('loading', () => {
  const places = () => ({
    platform: 'linux' as const,
    environment: { XDG_CACHE_HOME: join(directory, 'cache') },
    home: undefined,
    temporary: directory,
    user: USER,
  });

  it('takes the next folder where one is mounted with noexec', () => {
    const load = (file: string) => {
      if (file.includes('/cache/'))
        throw new Error(`${file}: failed to map segment from shared object: Operation not permitted`);
      return dirname(file);
    };
    expect(loadLibrary(LIBRARY, places(), load)).toBe(join(directory, `binnacle-${USER}`));
  });

  it('says in one line what is wrong with each folder, and what to do', () => {
    const load = (file: string) => {
      throw new Error(`${file}: failed to map segment from shared object: Operation not permitted`);
    };
    writeFileSync(join(directory, 'cache'), '');
    expect(() => loadLibrary(LIBRARY, places(), load)).toThrow(
      new RegExp(
        `^the store needs a folder [^\\n]*cache/binnacle: [^\\n]+; ${directory}/binnacle-${USER}: mounted with noexec\\): set XDG_CACHE_HOME [^\\n]+$`,
      ),
    );
    expect(existsSync(join(directory, 'cache'))).toBe(true);
  });
});
