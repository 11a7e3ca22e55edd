import { randomInt } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { dataFileOf, fileIdentity, syncPath } from '../embedded/data-directory.ts';
import { openExisting } from '../embedded/existing.ts';
import { anyFile, isAlive, thisProcess } from '../embedded/owner.ts';
import { embeddedTarget, sourceOf } from './embedded-transfer.ts';
import { type TransferResult, transfer } from './transfer.ts';

/**
 * Replaces the data file of a directory that no server uses by a new one, with the current value of each key
 * only: it has neither history nor bytes of former values, which free pages and the gaps in pages keep. The
 * revision stays; earlier ones are compacted. A crash leaves the old file or the complete new one.
 * @throws DataDirectoryError
 */
export async function compactStore(
  directory: string,
  report: (line: string) => void,
): Promise<TransferResult> {
  const { environment, path } = await openExisting(directory);
  const copy = `${path}.compacted`;
  try {
    const before = environment.owner();
    const file = fileIdentity(path);
    const owner = thisProcess(randomInt(1, 2 ** 47), file);
    if ((before !== undefined && isAlive(before, file)) || !environment.claim(before?.epoch, owner))
      throw new DataDirectoryError(`${directory} is in use by process ${before?.pid}: stop it first`);
    rmSync(copy, { recursive: true, force: true });
    try {
      const target = await embeddedTarget(copy);
      let result: TransferResult;
      try {
        result = await transfer(sourceOf(environment), target, report);
      } finally {
        await target.close();
      }
      // A server that waits for the old file sees that it is replaced, and opens the new one.
      environment.claim(owner.epoch, { ...owner, file: anyFile });
      // Not shared with processes that have the old file open: it numbers the transactions of one file.
      rmSync(`${path}-lock`, { force: true });
      renameSync(dataFileOf(copy), path);
      syncPath(directory);
      return result;
    } finally {
      rmSync(copy, { recursive: true, force: true });
      if (fileIdentity(path) === file) environment.claim(owner.epoch, { ...owner, released: true });
    }
  } finally {
    await environment.close();
  }
}
