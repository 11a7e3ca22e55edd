import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { ConfigurationError } from '../errors/configuration-error.ts';

/**
 * Takes the place of the package by which lmdb finds its library, in a bundle that has lmdb itself: finds that of the
 * installed lmdb.
 * @throws ConfigurationError when it is not installed
 */
export default function loadInstalled(): unknown {
  let lmdb: string;
  try {
    lmdb = createRequire(import.meta.url).resolve('lmdb');
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    throw new ConfigurationError(
      `Binnacle cannot load: ${line}: install it again, with its dependencies, or start it with --ephemeral`,
    );
  }
  const load = createRequire(lmdb)('node-gyp-build-optional-packages') as (folder: string) => unknown;
  return load(dirname(dirname(lmdb)));
}
