import { cpSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { entriesIn } from './directory-entries.ts';
import { makeDirectory, readTextFileIfPresent } from './files.ts';

/** The first line of each kubeconfig that a server writes. */
export const KUBECONFIG_MARK = '# Written by Binnacle at each start. Changes are lost.';

/** The parts of a data directory, besides the kubeconfig. */
const PARTS = {
  storage: 'store',
  certificates: 'pki',
  serviceAccountKey: 'service-account.key',
  kubeconfig: 'kubeconfig',
  /** The minor version under which the objects were written last. */
  kubernetesVersion: 'kubernetes-version',
} as const;

/** Returns the paths of the parts. */
export function dataPaths(dataDirectory: string): Record<keyof typeof PARTS, string> {
  return {
    storage: join(dataDirectory, PARTS.storage),
    certificates: join(dataDirectory, PARTS.certificates),
    serviceAccountKey: join(dataDirectory, PARTS.serviceAccountKey),
    kubeconfig: join(dataDirectory, PARTS.kubeconfig),
    kubernetesVersion: join(dataDirectory, PARTS.kubernetesVersion),
  };
}

/**
 * Checks that a directory is a data directory, empty, or absent: nothing is written among files of others.
 * @param flag that names the directory
 * @throws ConfigurationError
 */
export function checkDataDirectory(directory: string, flag = '--data-dir'): void {
  const entries = contentOf(directory);
  const paths = dataPaths(directory);
  // Files that no other program has. Users may keep more files in a data directory.
  if (STORE_MARKERS.some((name) => existsSync(join(paths.storage, name)))) return;
  if (existsSync(paths.serviceAccountKey)) return;
  const foreign = entries.find((name) => !isPart(name));
  if (foreign === undefined || isOwnKubeconfig(paths.kubeconfig)) return;
  throw new ConfigurationError(
    `${directory} contains other files (${foreign}) and is not a data directory: name a new or empty directory with ${flag}`,
  );
}

/** Marks of the embedded store; the latter until its data file is complete. */
const STORE_MARKERS = ['binnacle-storage', 'binnacle-storage.new'];

/** A part that was prepared before the first start, such as certificates, or a part that is being written. */
const isPart = (name: string): boolean =>
  Object.values(PARTS).some((part) => name === part || name.startsWith(`${part}.`));

const isOwnKubeconfig = (file: string): boolean =>
  existsSync(file) && readTextFileIfPresent(file)!.startsWith(KUBECONFIG_MARK);

/** The entries of a directory that is empty if there are none; none for an absent one. */
function contentOf(directory: string): string[] {
  const path = resolve(directory);
  return existsSync(path) ? withFile('open', path, () => entriesIn(path)) : [];
}

/** What a user can do about the directories of a copy. */
export interface CopyAdvice {
  /** When the source is no data directory. */
  readonly source: string;
  /** When the target is not empty. */
  readonly target: string;
}

/**
 * Copies a data directory so that another server can start with it: the objects, and the keys that keep
 * issued tokens and client certificates valid. `copyStore` must support the storage of a running server.
 * @throws ConfigurationError for a target that is not empty, among others, and the errors of `copyStore`
 */
export async function backupDataDirectory(
  source: string,
  target: string,
  copyStore: (from: string, to: string) => Promise<void>,
  advice: CopyAdvice,
): Promise<void> {
  const [from, to] = [dataPaths(source), dataPaths(target)];
  if (!existsSync(from.storage))
    throw new ConfigurationError(`${source} has no objects of a server (${from.storage}): ${advice.source}`);
  const [entry] = contentOf(target);
  if (entry !== undefined)
    throw new ConfigurationError(`${target} is not empty (${entry}): ${advice.target}`);
  makeDirectory(target);
  for (const part of ['certificates', 'serviceAccountKey', 'kubernetesVersion'] as const) {
    if (existsSync(from[part]))
      withFile('write', to[part], () => cpSync(from[part], to[part], { recursive: true }));
  }
  // Last, because a copy with corrupt values is complete but throws.
  await copyStore(from.storage, to.storage);
}
