import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { elfProblems, machOProblems, peProblems, resource } from './formats.ts';

const FOLDER = 'dist/executables';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:';
const fileOf = (platform: string): string => join(FOLDER, `binnacle-${version}-${platform}`);

/** What is in every program that Node.js finds inside of itself. */
const IN_PROGRAM = ['bundle.cjs', 'addon.node'];

/** Reads an executable; a platform that was not written is skipped, and says so. */
describe.each([
  ['linux-x64', 62, 0x1000n],
  // Kernels for arm64 have pages of 4, 16 or 64 kB.
  ['linux-arm64', 183, 0x10000n],
])('the executable for %s', (platform, machine, page) => {
  it.skipIf(!existsSync(fileOf(platform)))('has its program in a note, and its fuse set', () => {
    const file = readFileSync(fileOf(platform));
    expect(elfProblems(file, { note: 'NODE_SEA_BLOB', content: undefined, machine, page })).toEqual([]);
    expect(file.includes(`${FUSE}1`)).toBe(true);
    for (const name of IN_PROGRAM) expect(file.includes(name)).toBe(true);
    expect(file.includes('/lib/ld-linux') || file.includes('/lib64/ld-linux')).toBe(true);
  });
});

describe.each([
  ['darwin-x64', 0x01000007],
  ['darwin-arm64', 0x0100000c],
])('the executable for %s', (platform, processor) => {
  it.skipIf(!existsSync(fileOf(platform)))(
    'has its program in a section, its fuse set, and is signed',
    () => {
      const file = readFileSync(fileOf(platform));
      expect([file.readUInt32LE(0), file.readUInt32LE(4)]).toEqual([0xfeedfacf, processor]);
      expect(machOProblems(file)).toEqual([]);
      expect(file.includes(`${FUSE}1`)).toBe(true);
      const name = file.indexOf('__NODE_SEA_BLOB\0');
      const [start, size] = [file.readUInt32LE(name + 48), Number(file.readBigUInt64LE(name + 40))];
      const program = file.subarray(start, start + size);
      for (const asset of IN_PROGRAM) expect(program.includes(asset)).toBe(true);
    },
  );
});

describe('the executable for win-x64', () => {
  const name = fileOf('win-x64.exe');
  it.skipIf(!existsSync(name))('has its program in a resource, its fuse set, and no broken signature', () => {
    const file = readFileSync(name);
    expect(peProblems(file)).toEqual([]);
    expect(file.includes(`${FUSE}1`)).toBe(true);
    const program = resource(file, 'NODE_SEA_BLOB')!;
    for (const asset of IN_PROGRAM) expect(program.includes(asset)).toBe(true);
  });
});

describe.skipIf(!existsSync(join(FOLDER, 'SHA256SUMS')))('beside the executables', () => {
  it('are checksums of all of them', () => {
    const sums = readFileSync(join(FOLDER, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    const expected = readdirSync(FOLDER)
      .filter((name) => name !== 'SHA256SUMS' && statSync(join(FOLDER, name)).isFile())
      .map(
        (name) =>
          `${createHash('sha256')
            .update(readFileSync(join(FOLDER, name)))
            .digest('hex')}  ${name}`,
      );
    expect(sums.sort()).toEqual(expected.sort());
  });

  it('are the licences of Node.js and of the packages', () => {
    const text = readFileSync(join(FOLDER, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const part of ['lmdb 3.', 'Node.js is licensed for use as follows', 'OpenSSL', 'libuv'])
      expect(text).toContain(part);
  });
});
