import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStorage } from '../../src/storage/embedded/open.ts';
import { immediateStorageContract } from './contract.ts';

immediateStorageContract('embedded storage', async (clock) => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-storage-'));
  return {
    storage: await openEmbeddedStorage({ directory, clock }),
    dispose: async () => rmSync(directory, { recursive: true }),
  };
});
