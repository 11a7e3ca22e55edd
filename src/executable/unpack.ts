import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { makeDirectories } from '../files/make-directory.ts';

/** A library that is inside of the executable, and that the system loads from a file only. */
export interface EmbeddedLibrary {
  /** Name without folder, for example `lmdb-3.5.6`. */
  readonly name: string;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
  readonly bytes: () => Uint8Array;
}

/** What decides where files of the user may be. */
export interface UserPlaces {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** Undefined when the user has none. */
  readonly home: string | undefined;
  readonly temporary: string;
  /** Undefined on Windows. */
  readonly user: number | undefined;
}

/** Bits of a mode by which others could change a file or folder. */
const WRITABLE_BY_OTHERS = 0o022;
const OWNER_ONLY = 0o700;

/** The folders for unpacked files: in the user's cache, then in the temporary folder. */
export function unpackFolders({ platform, environment, home, temporary, user }: UserPlaces): string[] {
  const given = platform === 'win32' ? environment['LOCALAPPDATA'] : environment['XDG_CACHE_HOME'];
  const inHome = { win32: 'AppData/Local', darwin: 'Library/Caches' }[platform as string] ?? '.cache';
  const cache = given !== undefined && isAbsolute(given) ? given : home && join(home, inHome);
  return [
    ...(cache ? [join(cache, 'binnacle')] : []),
    join(temporary, user === undefined ? 'binnacle' : `binnacle-${user}`),
  ];
}

/**
 * Unpacks a library into a folder, unless it is there, and returns its path. Only its owner and root can have
 * written what is found: everything else is refused or replaced.
 * @throws Error that says why the folder can not be used; the system error
 */
export function unpack(library: EmbeddedLibrary, folder: string, user: number | undefined): string {
  makeDirectories(folder);
  const problem = ownerProblem(lstatSync(folder), user);
  if (problem !== undefined) throw new Error(problem);
  const file = join(folder, `${library.name}-${library.hash.slice(0, 16)}.node`);
  if (isIntact(file, library, user)) return file;
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, library.bytes(), { flag: 'wx', mode: OWNER_ONLY });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    // Windows does not replace a file in use: another process has written it in between.
    if (!isIntact(file, library, user)) throw error;
  }
  return file;
}

/** Why others than the user and root could write here, or undefined. Windows keeps the user's folders to the user. */
function ownerProblem({ uid, mode }: Stats, user: number | undefined): string | undefined {
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0) return `belongs to user ${uid}`;
  return (mode & WRITABLE_BY_OTHERS) === 0 ? undefined : 'can be written by others';
}

/** Whether a file is there with the content of the library, and nobody else can change it. */
function isIntact(file: string, { hash }: EmbeddedLibrary, user: number | undefined): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true || ownerProblem(found, user) !== undefined) return false;
  return createHash('sha256').update(readFileSync(file)).digest('hex') === hash;
}
