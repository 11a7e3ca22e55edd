import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { makeDirectory } from './files.ts';

/** What the data directory holds, beside the kubeconfig. */
const PARTS = {
  storage: 'store',
  certificates: 'pki',
  serviceAccountKey: 'service-account.key',
  kubeconfig: 'kubeconfig',
} as const;

/** Paths below a data directory. */
export function dataPaths(dataDirectory: string): Record<keyof typeof PARTS, string> {
  return {
    storage: join(dataDirectory, PARTS.storage),
    certificates: join(dataDirectory, PARTS.certificates),
    serviceAccountKey: join(dataDirectory, PARTS.serviceAccountKey),
    kubeconfig: join(dataDirectory, PARTS.kubeconfig),
  };
}

/**
 * Copies a data directory into a new one that a server can be started with: the objects, and the keys without
 * which tokens and client certificates given out by the first server would be worthless with the second.
 * `copyStore` copies the storage of a server that may run.
 * @throws ConfigurationError, and what `copyStore` throws
 */
export async function backupDataDirectory(
  source: string,
  target: string,
  copyStore: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const [from, to] = [dataPaths(source), dataPaths(target)];
  if (!existsSync(from.storage))
    throw new ConfigurationError(`${source} is not the data directory of a server: name it with --data-dir`);
  for (const part of Object.values(to))
    if (existsSync(part))
      throw new ConfigurationError(`${part} exists: choose a new directory for the backup`);
  makeDirectory(target);
  for (const part of ['certificates', 'serviceAccountKey'] as const) {
    if (existsSync(from[part]))
      withFile('write', to[part], () => cpSync(from[part], to[part], { recursive: true }));
  }
  // Last: a copy that is complete but has damaged values ends with an error that names them.
  await copyStore(from.storage, to.storage);
}
