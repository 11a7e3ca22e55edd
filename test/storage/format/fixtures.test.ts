import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backupDataDirectory, dataPaths } from '../../../src/files/data-directory.ts';
import { checkStore } from '../../../src/storage/embedded/check-store.ts';
import { FORMATS } from '../../../src/storage/embedded/format.ts';
import { backupDirectory } from '../../../src/storage/embedded/index.ts';
import { raiseRevision } from '../../../src/storage/transfer/embedded-transfer.ts';
import { startCluster } from '../../../src/testing/index.ts';
import { temporaryDirectory } from '../temporary.ts';
import { FORMAT_NAMES, servedBy, unpacked } from './fixtures.ts';

/** Starts a server on a directory and returns the items of some lists, and the lines of its log. */
async function served(dataDir: string, paths: readonly string[]) {
  const cluster = await startCluster({ storageBackend: 'embedded', dataDir, controllers: ['-*'] });
  try {
    const items: Record<string, unknown> = {};
    for (const path of paths) {
      const list = (await (await cluster.fetch(path)).json()) as { items?: unknown };
      items[path] = list.items ?? list;
    }
    return { items, log: [...cluster.log] };
  } finally {
    await cluster.stop();
  }
}

const conversions = (log: readonly string[]) =>
  log.filter((line) => line.includes('converting the data directory'));
const marker = (dataDir: string) =>
  readFileSync(join(dataPaths(dataDir).storage, 'binnacle-storage'), 'utf8');
const advice = { source: '', target: '' };

test('there is a fixture of each data format', () => {
  const formats = Array.from(
    { length: FORMATS.newest - FORMATS.oldest + 1 },
    (_, index) => `format-${FORMATS.oldest + index}`,
  );
  expect(FORMAT_NAMES).toEqual(formats);
});

describe.each(FORMAT_NAMES)('%s', (format) => {
  const expected = servedBy(format);
  const isNewest = format === `format-${FORMATS.newest}`;

  test.each(['data-directory', 'backup'] as const)('serves the recorded %s unchanged', async (copy) => {
    const dataDir = unpacked(format, copy);
    const first = await served(dataDir, Object.keys(expected));
    expect(first.items).toEqual(expected);
    expect(conversions(first.log)).toHaveLength(isNewest ? 0 : 1);
    expect(marker(dataDir)).toBe(`Binnacle embedded storage, format ${FORMATS.newest}\n`);
    const second = await served(dataDir, Object.keys(expected));
    expect(second.items).toEqual(expected);
    expect(conversions(second.log)).toEqual([]);
  });

  test('restores the recorded backup, in its format, and serves it', async () => {
    const backup = unpacked(format, 'backup');
    const dataDir = temporaryDirectory();
    await backupDataDirectory(backup, dataDir, backupDirectory, advice);
    await raiseRevision(dataPaths(dataDir).storage, 1000);
    expect(marker(dataDir)).toBe(marker(backup));
    expect((await served(dataDir, Object.keys(expected))).items).toEqual(expected);
  });

  test('checks the recorded data directory without converting it', async () => {
    const dataDir = unpacked(format, 'data-directory');
    const problems: string[] = [];
    const before = marker(dataDir);
    await checkStore(
      dataPaths(dataDir).storage,
      () => undefined,
      (key, problem) => problems.push(`${key} ${problem}`),
    );
    expect(problems).toEqual([]);
    expect(marker(dataDir)).toBe(before);
  });
});
