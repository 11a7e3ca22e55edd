import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { COMMANDS, commandHelpText } from '../commands.ts';
import type { CommandOutput } from '../output.ts';
import { shellWord } from '../shell-word.ts';

/** The word after `envtest` that the `etcd` of the written directory starts with. */
const STAND_IN = 'etcd-stand-in';
/** The controllers of a test environment, unless a test or `BINNACLE_CONTROLLERS` names others. */
const CONTROLLERS = 'namespace-controller,garbage-collector-controller';
/** The flags of each server. Tests that finalize a deleted namespace at once must come before the controller. */
const FLAGS = [
  '--storage-backend=memory',
  '--keep-dependents-of-unknown-owners',
  '--namespace-deletion-delay=2s',
  '--kubeconfig-out=',
];
/** With `--bare`: none. */
const NO_CONTROLLERS = '-*';
/** What the command writes: nothing else in a directory is overwritten. */
const FILES = ['etcd', 'kube-apiserver', 'kubectl'];

/** The program that the written scripts start. */
export interface Program {
  /** Path of Node.js. */
  readonly node: string;
  /** Path of `main.js`. */
  readonly main: string;
  /** `PATH`, in which kubectl is searched. */
  readonly path: string;
}

/**
 * Runs `binnacle envtest` and returns the exit code. It writes the binaries that envtest of controller-runtime
 * looks for in `KUBEBUILDER_ASSETS`.
 * @throws ConfigurationError, and errors of the file system
 */
export async function runEnvtestCommand(
  words: readonly string[],
  program: Program,
  output: CommandOutput,
): Promise<number> {
  const [first] = words;
  if (first === STAND_IN) return (await import('./etcd-stand-in.ts')).runStandIn(words.slice(1), output);
  if (words.includes('--help') || words.includes('-h')) {
    output.out(commandHelpText('envtest'));
    return 0;
  }
  const [directory, ...more] = words.filter((word) => word !== '--bare');
  if (directory === undefined || directory.startsWith('-') || more.length > 0)
    throw new ConfigurationError(`envtest takes one directory: ${COMMANDS.get('envtest')!.usage}`);
  const target = resolve(directory);
  writeAssets(target, words.includes('--bare') ? NO_CONTROLLERS : CONTROLLERS, program);
  output.out(`export KUBEBUILDER_ASSETS=${shellWord(target)}\n`);
  return 0;
}

function writeAssets(directory: string, controllers: string, { node, main, path }: Program): void {
  const others = existsSync(directory) ? readdirSync(directory).filter((name) => !FILES.includes(name)) : [];
  if (others.length > 0)
    throw new ConfigurationError(
      `${directory} contains ${others[0]}: name a new directory, or one that binnacle envtest wrote`,
    );
  mkdirSync(directory, { recursive: true });
  for (const name of FILES) rmSync(join(directory, name), { force: true });
  const start = `exec ${shellWord(node)} ${shellWord(main)}`;
  writeScript(join(directory, 'etcd'), [`${start} envtest ${STAND_IN} "$@"`]);
  writeScript(join(directory, 'kube-apiserver'), [
    '# Objects are kept in memory, not in the etcd of envtest. Arguments that name controllers replace these.',
    `controllers=\${BINNACLE_CONTROLLERS:-${controllers}}`,
    'for argument do',
    '  shift',
    '  case $argument in',
    '    --etcd-servers=*) continue ;;',
    '    --controllers=*) controllers= ;;',
    '  esac',
    '  set -- "$@" "$argument"',
    'done',
    `[ -z "$controllers" ] || set -- "--controllers=$controllers" "$@"`,
    `${start} ${FLAGS.join(' ')} "$@"`,
  ]);
  const kubectl = path
    .split(delimiter)
    .map((place) => join(place, 'kubectl'))
    .find((file) => existsSync(file));
  if (kubectl !== undefined) symlinkSync(resolve(kubectl), join(directory, 'kubectl'));
}

function writeScript(file: string, lines: readonly string[]): void {
  writeFileSync(file, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(file, 0o755);
}
