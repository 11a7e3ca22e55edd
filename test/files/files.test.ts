import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFileAtomically } from '../../src/files/files.ts';
import { SmallDisk } from '../support/small-disk.ts';

let directory: string;
let disk: SmallDisk | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-files-'));
  disk = SmallDisk.mount(directory, 1);
});
afterEach(() => {
  disk?.unmount();
  rmSync(directory, { recursive: true, force: true });
});

it('a file that fits only in part on a full disk is not written', ({ skip }) => {
  if (disk === undefined) return skip('a small file system cannot be mounted here');
  const [file, spare] = [join(directory, 'file'), join(directory, 'spare')];
  writeFileSync(file, 'before');
  writeFileSync(spare, 'x'.repeat(4096));
  disk.fill();
  rmSync(spare);
  expect(() => writeFileAtomically(file, 'y'.repeat(10_000), 0o600)).toThrow(
    `write ${file}: no space left on device`,
  );
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(directory).sort()).toEqual(['file', 'filler']);
});
