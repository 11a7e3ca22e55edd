import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { makeDirectory } from './files.ts';

/** The parts of a data directory, besides the kubeconfig. */
const PARTS = {
  storage: 'store',
  certificates: 'pki',
  serviceAccountKey: 'service-account.key',
  kubeconfig: 'kubeconfig',
} as const;

/** Returns the paths of the parts. */
export function dataPaths(dataDirectory: string): Record<keyof typeof PARTS, string> {
  return {
    storage: join(dataDirectory, PARTS.storage),
    certificates: join(dataDirectory, PARTS.certificates),
    serviceAccountKey: join(dataDirectory, PARTS.serviceAccountKey),
    kubeconfig: join(dataDirectory, PARTS.kubeconfig),
  };
}

/**
 * Copies a data directory so that another server can start with it: the objects, and the keys that keep
 * issued tokens and client certificates valid. `copyStore` must support the storage of a running server.
 * @throws ConfigurationError, and the errors of `copyStore`
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
  // Last, because a copy with corrupt values is complete but throws.
  await copyStore(from.storage, to.storage);
}
