import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { compactStore } from '../../src/storage/transfer/compact-store.ts';
import { put, remove } from './helpers.ts';

const SECRET = 'plain text of a Secret';
const ALL = { start: '/', end: '0' };

describe('the compaction of a data directory', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'compact-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** Whether the bytes of a former value are in any file. */
  const holdsSecret = async (): Promise<boolean> => {
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && (await readFile(join(entry.parentPath, entry.name))).includes(SECRET))
        return true;
    return false;
  };
  const lines: string[] = [];
  const compact = () => compactStore(directory, (line) => lines.push(line));

  it('removes former values from the file, and keeps the current ones', async () => {
    const storage = await openEmbeddedStorage({ directory });
    const revisions = new Map<string, number>();
    for (let index = 0; index < 300; index += 1) {
      const key = `/registry/secrets/default/s${index}`;
      // Small values share pages; large ones have pages of their own.
      revisions.set(key, await put(storage, key, SECRET.repeat(index % 10 === 0 ? 500 : 1)));
    }
    for (const [key, revision] of revisions) await put(storage, key, `k8s:enc:${key}`, revision);
    const gone = await put(storage, '/registry/secrets/default/gone', SECRET);
    await remove(storage, '/registry/secrets/default/gone', gone);
    await put(storage, '/registry/leases/a', 'leased', 0, 3600);
    const before = (await storage.range(ALL)).entries;
    const { revision } = storage;
    await storage.close();
    expect(await holdsSecret()).toBe(true);

    expect(await compact()).toEqual({ keys: 301, revision });
    expect(await holdsSecret()).toBe(false);
    expect((await readdir(directory)).sort()).toEqual(['binnacle-storage', 'data.mdb']);

    const after = await openEmbeddedStorage({ directory });
    expect((await after.range(ALL)).entries).toEqual(before);
    expect(after.revision).toBe(revision);
    expect(() => after.range({ ...ALL, revision: revision - 1 })).toThrow('has been compacted');
    expect(await put(after, '/registry/new', 'x')).toBe(revision + 1);
    await after.close();
  });

  it('is refused while a server uses the directory, and changes nothing', async () => {
    const storage = await openEmbeddedStorage({ directory });
    await put(storage, '/registry/a', SECRET);
    await expect(compact()).rejects.toThrow(
      `${directory} is in use by process ${process.pid}: stop it first`,
    );
    await put(storage, '/registry/b', SECRET);
    await storage.close();
    const after = await openEmbeddedStorage({ directory });
    expect(await after.count('/', '0')).toBe(2);
    await after.close();
  });

  it('can be repeated', async () => {
    const storage = await openEmbeddedStorage({ directory });
    await put(storage, '/registry/a', 'x');
    await storage.close();
    const first = await compact();
    expect(await compact()).toEqual(first);
  });

  it('names a directory without a store', async () => {
    await expect(compact()).rejects.toThrow(`${directory} is not a data directory`);
  });
});
