import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The words after `binnacle envtest` that the files `etcd` and `kubectl` stand for. */
export const STAND_IN = 'etcd-stand-in';
export const NO_KUBECTL = 'no-kubectl';

/** A file beside the programs with flags for each server that is started there, one a line. */
export const FLAGS_FILE = 'binnacle-flags';
/** The controllers of a test environment, unless that file, `BINNACLE_CONTROLLERS` or a flag names others. */
const CONTROLLERS = '--controllers=namespace-controller,garbage-collector-controller';
/** The flags of each server. Tests that finalize a deleted namespace at once must come before the controller. */
const FLAGS = [
  '--storage-backend=memory',
  '--keep-dependents-of-unknown-owners',
  '--namespace-deletion-delay=2s',
  '--kubeconfig-out=',
];

/** What a role knows of its process. */
export interface RoleContext {
  /** The controllers that `BINNACLE_CONTROLLERS` names, or nothing. */
  readonly controllers: string | undefined;
  /** Reads the flags in {@link FLAGS_FILE} beside the program; none when there is no file. */
  readonly flagsFile: () => readonly string[];
}

/** What a program does, by the name of its file: the words of the command line for which its own words stand. */
const ROLES: ReadonlyMap<string, (words: readonly string[], context: RoleContext) => readonly string[]> =
  new Map([
    ['kube-apiserver', serverWords],
    ['etcd', (words) => ['envtest', STAND_IN, ...words]],
    ['kubectl', () => ['envtest', NO_KUBECTL]],
  ]);

/** The names of the programs that envtest looks for. */
export const PROGRAMS: readonly string[] = [...ROLES.keys()];

/**
 * The words of the command line of a program that `binnacle envtest` wrote.
 * @param file as which the program was started
 * @param words that it was given
 * @param environment variables of the process
 * @returns undefined when the file has no name of a role
 */
export function roleWords(
  file: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): readonly string[] | undefined {
  const role = ROLES.get(roleName(file));
  return role?.(words, {
    controllers: environment['BINNACLE_CONTROLLERS'],
    flagsFile: () => linesOf(join(dirname(file), FLAGS_FILE)),
  });
}

/** The name that a role would have. Windows adds `.exe`, in upper or lower case. */
const roleName = (file: string): string => basename(file).replace(/\.exe$/i, '');

/** Whether a file has the name of a role. */
export const hasRole = (file: string): boolean => ROLES.has(roleName(file));

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * The flags of the server, followed by those of the harness, which win. Those that say that objects are in the
 * etcd of the harness have no effect: they are in memory.
 */
function serverWords(words: readonly string[], { controllers, flagsFile }: RoleContext): string[] {
  const harness = withoutFlag(withoutFlag(words, 'etcd-servers'), 'storage-backend', 'etcd3');
  const sources = [[CONTROLLERS], flagsFile(), controllers ? [`--controllers=${controllers}`] : [], harness];
  // The values of lists add up: only the last source that names controllers may do so.
  const last = sources.findLastIndex((flags) => flags.some((word) => /^--controllers(=|$)/.test(word)));
  return [
    ...FLAGS,
    ...sources.flatMap((flags, index) => (index < last ? withoutFlag(flags, 'controllers') : flags)),
  ];
}

/** Leaves out a flag, as `--name=value` and as `--name value`. @param only this value of it */
function withoutFlag(words: readonly string[], name: string, only?: string): string[] {
  const kept: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const [flag, ...rest] = word.split('=');
    const isFlag = flag!.replaceAll('_', '-') === `--${name}`;
    const inTwoWords = isFlag && rest.length === 0;
    const value = inTwoWords ? words[index + 1] : rest.join('=');
    if (!isFlag || (only !== undefined && value !== only)) kept.push(word);
    else if (inTwoWords) index += 1;
  }
  return kept;
}
