import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { copyProgram, type Program, repeatProgram, writeProgram } from './program.ts';
import { FLAGS_FILE, PROGRAMS } from './roles.ts';

/** The directory of the store of setup-envtest, below its root. */
const STORE = 'k8s';

/** What is written. */
export interface ProgramOptions {
  readonly program: Program;
  /** `.exe` or nothing. */
  readonly extension: string;
}

export interface AssetOptions extends ProgramOptions {
  /** Of the servers of all releases. */
  readonly flags: readonly string[];
  /** `PATH`, in which kubectl is searched. */
  readonly path: string;
  /** The first one is also that of the programs in the directory itself. */
  readonly releases: readonly [StoredRelease, ...StoredRelease[]];
}

/** A release in the store. */
interface StoredRelease {
  /** Name of its directory, for example `1.32.13-linux-amd64`. */
  readonly name: string;
  /** Its flags, beside those of all releases. */
  readonly flags: readonly string[];
}

/**
 * Writes the programs into `directory`, and again below it as in the store of setup-envtest. What the command
 * wrote there before is replaced.
 * @throws ConfigurationError when the directory has files of others; the system error
 */
export function writeAssets(directory: string, options: AssetOptions): void {
  const own = namesOf(options);
  const [first] = options.releases;
  const stored = options.releases.map(({ name, flags }) => ({ folder: join(directory, STORE, name), flags }));
  refuseOthers(directory, [...own, STORE]);
  for (const { folder } of stored) refuseOthers(folder, own);
  const kubectl = findKubectl(options, [directory, ...stored.map(({ folder }) => folder)]);
  mkdirSync(directory, { recursive: true });
  writePrograms(directory, options, kubectl);
  writeFlags(directory, [...options.flags, ...first.flags]);
  for (const { folder, flags } of stored) {
    mkdirSync(folder, { recursive: true });
    for (const name of own) {
      rmSync(join(folder, name), { force: true });
      if (name !== FLAGS_FILE) repeatProgram(join(directory, name), join(folder, name));
    }
    writeFlags(folder, [...options.flags, ...flags]);
  }
}

/** Writes {@link FLAGS_FILE}; no file when there are none. */
export function writeFlags(directory: string, flags: readonly string[]): void {
  if (flags.length > 0) writeFileSync(join(directory, FLAGS_FILE), flags.map((flag) => `${flag}\n`).join(''));
}

/** The names of the files that the command writes into a directory. */
const namesOf = ({ extension }: Pick<ProgramOptions, 'extension'>): string[] => [
  ...PROGRAMS.map((name) => `${name}${extension}`),
  FLAGS_FILE,
];

function refuseOthers(directory: string, own: readonly string[]): void {
  const others = existsSync(directory) ? readdirSync(directory).filter((name) => !own.includes(name)) : [];
  if (others.length > 0)
    throw new ConfigurationError(
      `${directory} contains ${others[0]}: name a new directory, or one that binnacle envtest wrote`,
    );
}

/**
 * Writes the programs into a directory, in place of those that it has.
 * @param kubectl the one to copy, or undefined for a program that says where to get one
 */
export function writePrograms(directory: string, options: ProgramOptions, kubectl: string | undefined): void {
  const { program, extension } = options;
  for (const name of namesOf(options)) rmSync(join(directory, name), { force: true });
  const [first, ...others] = PROGRAMS.filter((name) => name !== 'kubectl' || kubectl === undefined).map(
    (name) => join(directory, `${name}${extension}`),
  );
  writeProgram(program, first!);
  for (const file of others) repeatProgram(first!, file);
  if (kubectl !== undefined) copyProgram(kubectl, join(directory, `kubectl${extension}`));
}

/** The kubectl on the path, or undefined. @param except directories whose files are about to be replaced */
export function findKubectl(
  { path, extension }: Pick<AssetOptions, 'path' | 'extension'>,
  except: readonly string[],
): string | undefined {
  const excluded = except.map(realPath);
  return path
    .split(delimiter)
    .filter((place) => place !== '')
    .map((place) => realPath(join(resolve(place), `kubectl${extension}`)))
    .find((file) => isFile(file) && !excluded.includes(dirname(file)));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
