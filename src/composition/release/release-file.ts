import { dataPaths } from '../../files/data-directory.ts';
import { readTextFileIfPresent, writeFileAtomically } from '../../files/files.ts';
import type { ReleaseRecord } from '../../storage/release-record.ts';

/** The record of a data directory: a text file in it, which backups copy. */
export function releaseFile(dataDirectory: string): ReleaseRecord {
  const file = dataPaths(dataDirectory).kubernetesVersion;
  return {
    place: dataDirectory,
    read: async () => readTextFileIfPresent(file)?.trim(),
    write: async (minor) => writeFileAtomically(file, `${minor}\n`, 0o600),
  };
}
