import { homedir, tmpdir } from 'node:os';
import { getRawAsset } from 'node:sea';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { type EmbeddedLibrary, type UserPlaces, unpack, unpackFolders } from './unpack.ts';

/** Constants of the build: name and hash of lmdb's library. */
declare const LIBRARY_NAME: string;
declare const LIBRARY_HASH: string;

/**
 * Takes the place of the package by which lmdb finds its library on disk: unpacks the one in the executable and
 * loads it.
 * @throws ConfigurationError when no folder can be used
 */
export default function loadEmbedded(): unknown {
  const library: EmbeddedLibrary = {
    name: LIBRARY_NAME,
    hash: LIBRARY_HASH,
    bytes: () => new Uint8Array(getRawAsset('addon.node') as ArrayBuffer),
  };
  return loadLibrary(library, userPlaces(), (file) => {
    const module = { exports: {} };
    process.dlopen(module, file);
    return module.exports;
  });
}

/**
 * Loads a library from the first folder that can be used.
 * @param load from a file
 * @throws ConfigurationError when there is none
 */
export function loadLibrary<T>(library: EmbeddedLibrary, places: UserPlaces, load: (file: string) => T): T {
  const reasons: string[] = [];
  for (const folder of unpackFolders(places))
    try {
      return load(unpack(library, folder, places.user));
    } catch (error) {
      reasons.push(`${folder}: ${reasonOf(error as NodeJS.ErrnoException)}`);
    }
  const variable = places.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';
  throw new ConfigurationError(
    `the store needs a folder from which its library can be loaded (${reasons.join('; ')}): set ${variable} to a folder that belongs to you, on a file system without noexec`,
  );
}

/** The loader of Linux says this for a file system that is mounted with noexec. */
const NO_EXECUTION = 'failed to map segment';

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const [line] = message.split('\n');
  if (line!.includes(NO_EXECUTION)) return 'mounted with noexec';
  return code !== undefined && line!.startsWith(code) ? line!.slice(code.length + 2) : line!;
}

function userPlaces(): UserPlaces {
  const { platform, env: environment } = process;
  return { platform, environment, home: home(), temporary: tmpdir(), user: process.getuid?.() };
}

/** A user without an entry in the system's list of users may have no home. */
function home(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
