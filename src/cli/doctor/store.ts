import { existsSync } from 'node:fs';
import { dataPaths } from '../../files/data-directory.ts';
import { keepsData } from './disk.ts';
import { type Check, type Finding, finding, findingOf } from './finding.ts';

/** Damaged keys that are named. */
const NAMED = 5;
const ADVICE =
  'binnacle fsck names all; restore a backup, or delete and create the objects (docs/storage.md)';

/** Whether a server uses the store, and what is damaged in it. */
export const checkObjects: Check = async ({ dataDirectory, options }): Promise<Finding[]> => {
  const directory = dataPaths(dataDirectory).storage;
  if (!keepsData(options) || !existsSync(directory)) return [];
  try {
    const { checkStore, runningOwner } = await import('../../storage/embedded/check-store.ts');
    const { createStoredDecoder } = await import('../../composition/stored-decoder.ts');
    const owner = await runningOwner(directory);
    const decoder = createStoredDecoder();
    const damaged: string[] = [];
    let count = 0;
    const { keys, revision } = await checkStore(directory, decoder.decode, (key, problem) => {
      count += 1;
      if (damaged.length < NAMED) damaged.push(`${key}: ${problem}`);
    });
    decoder.close();
    const inUse =
      owner === undefined
        ? []
        : [
            finding(
              'store',
              'note',
              `process ${owner} is serving this data directory; a second server would be refused`,
            ),
          ];
    if (count === 0)
      return [...inUse, finding('store', 'ok', `${keys} keys at revision ${revision}, none damaged`)];
    // A server that writes meanwhile may make a key look damaged.
    const severity = owner === undefined ? 'problem' : 'warning';
    return [
      ...inUse,
      ...damaged.map((text) => finding('store', severity, text, ADVICE)),
      ...(count > NAMED
        ? [finding('store', severity, `${count - NAMED} further keys are damaged`, ADVICE)]
        : []),
    ];
  } catch (error) {
    return [findingOf('store', 'problem', error)];
  }
};
