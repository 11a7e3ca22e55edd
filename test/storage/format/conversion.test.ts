import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkStore } from '../../../src/storage/embedded/check-store.ts';
import { FORMATS, type Formats, markerText } from '../../../src/storage/embedded/format.ts';
import {
  backupDirectory,
  DataDirectoryError,
  openEmbeddedStorage,
} from '../../../src/storage/embedded/index.ts';
import { compactStore } from '../../../src/storage/transfer/compact-store.ts';
import { embeddedSource, raiseRevision } from '../../../src/storage/transfer/embedded-transfer.ts';
import { startCluster } from '../../../src/testing/index.ts';
import { put, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';
import { FAILING_FORMATS, LATER_FORMATS } from './fake-formats.ts';

const { newest } = FORMATS;

/** A closed data directory of these formats, with two keys. */
async function filled(formats: Formats = FORMATS): Promise<string> {
  const directory = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory, formats });
  await put(storage, '/registry/a', 'one');
  await put(storage, '/registry/b', 'two');
  await storage.close();
  return directory;
}

async function valuesIn(directory: string, formats: Formats): Promise<string[]> {
  const storage = await openEmbeddedStorage({ directory, formats });
  try {
    return (await storage.range({ start: '/', end: '0' })).entries.map(({ value }) => text(value));
  } finally {
    await storage.close();
  }
}

const markerOf = (directory: string) => readFileSync(join(directory, 'binnacle-storage'), 'utf8');
const refusal = (directory: string, format: number) =>
  `${directory} has data format ${format}, which a newer version wrote, and this version reads ${FORMATS.oldest} to ${newest}: use that version, or restore a backup made before the upgrade`;

describe('a directory of a newer format', () => {
  test.each([
    [
      'the marker',
      (directory: string) => writeFileSync(join(directory, 'binnacle-storage'), markerText(99)),
      99,
    ],
    [
      'the data file alone, as after a crash',
      async (directory: string) => {
        await (await openEmbeddedStorage({ directory, formats: LATER_FORMATS })).close();
        writeFileSync(join(directory, 'binnacle-storage'), markerText(newest));
      },
      newest + 2,
    ],
  ] as const)(
    'is refused by every command and stays as it is, when %s names it',
    async (_name, raise, format) => {
      const directory = await filled();
      await raise(directory);
      const message = refusal(directory, format);
      const before = readFileSync(join(directory, 'data.mdb'));
      const target = temporaryDirectory();
      const attempts = {
        serve: () => openEmbeddedStorage({ directory }),
        backup: () => backupDirectory(directory, target),
        fsck: () => checkStore(directory, () => undefined, expect.fail),
        compact: () => compactStore(directory, () => undefined),
        migrate: () => embeddedSource(directory),
        restore: () => raiseRevision(directory, 1),
      };
      for (const [name, attempt] of Object.entries(attempts)) {
        const error = await attempt().catch((reason: Error) => reason);
        expect(error, name).toBeInstanceOf(DataDirectoryError);
        expect((error as Error).message, name).toBe(message);
      }
      expect(readFileSync(join(directory, 'data.mdb')).equals(before)).toBe(true);
      expect(readdirSync(target)).toEqual([]);
    },
  );

  test('is refused by a server before it writes keys, certificates or a kubeconfig', async () => {
    const dataDir = temporaryDirectory();
    const directory = join(dataDir, 'store');
    await (await openEmbeddedStorage({ directory, formats: LATER_FORMATS })).close();
    await expect(startCluster({ storageBackend: 'embedded', dataDir })).rejects.toThrow(
      refusal(directory, newest + 2),
    );
    expect(readdirSync(dataDir)).toEqual(['store']);
  });

  test('is refused while it is being created', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'binnacle-storage.new'), markerText(newest + 1));
    await expect(openEmbeddedStorage({ directory })).rejects.toThrow(refusal(directory, newest + 1));
    expect(existsSync(join(directory, 'data.mdb'))).toBe(false);
  });
});

test('a directory of a format that is no longer read names the way to convert it', async () => {
  const directory = await filled();
  await expect(
    openEmbeddedStorage({ directory, formats: { ...FORMATS, oldest: newest + 1, newest: newest + 1 } }),
  ).rejects.toThrow(
    `${directory} has data format ${newest}, which an older version wrote, and this version reads ${newest + 1} to ${newest + 1}: start the release before this one on it first, which converts it`,
  );
});

describe('a conversion', () => {
  test('is announced before anything is changed', async () => {
    const directory = await filled();
    const found: string[] = [];
    const storage = await openEmbeddedStorage({
      directory,
      formats: LATER_FORMATS,
      onConversion: (from, to) => found.push(`${from} to ${to}, marker ${markerOf(directory)}`),
    });
    await storage.close();
    expect(found).toEqual([`${newest} to ${newest + 2}, marker ${markerText(newest)}`]);
    expect(markerOf(directory)).toBe(markerText(newest + 2));
    expect(await valuesIn(directory, LATER_FORMATS)).toEqual(['one!?', 'two!?']);
  });

  test('does not happen to a new directory', async () => {
    const announced: number[] = [];
    const directory = temporaryDirectory();
    const storage = await openEmbeddedStorage({
      directory,
      formats: LATER_FORMATS,
      onConversion: (from) => announced.push(from),
    });
    await storage.close();
    expect(announced).toEqual([]);
    expect(markerOf(directory)).toBe(markerText(newest + 2));
  });

  test('that fails leaves the format before it, complete', async () => {
    const directory = await filled();
    await expect(openEmbeddedStorage({ directory, formats: FAILING_FORMATS })).rejects.toThrow(
      `${directory} could not be converted to data format ${newest + 2} and still has format ${newest + 1} (a value has an unknown form): use a version that reads format ${newest + 1}, or restore a backup`,
    );
    expect(await valuesIn(directory, LATER_FORMATS)).toEqual(['one!?', 'two!?']);
  });

  test('of a compacted directory whose marker is behind is not repeated', async () => {
    const directory = await filled();
    writeFileSync(join(directory, 'binnacle-storage'), markerText(FORMATS.oldest));
    await compactStore(directory, () => undefined);
    const announced: number[] = [];
    const storage = await openEmbeddedStorage({ directory, onConversion: (from) => announced.push(from) });
    await storage.close();
    expect(announced).toEqual([]);
    expect(markerOf(directory)).toBe(markerText(newest));
  });
});

test('a backup of a running server names the format of that server', async () => {
  const directory = await filled();
  const target = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory, formats: LATER_FORMATS });
  await storage.backup(target);
  await storage.close();
  expect(markerOf(target)).toBe(markerText(newest + 2));
  expect(await valuesIn(target, LATER_FORMATS)).toEqual(['one!?', 'two!?']);
});
