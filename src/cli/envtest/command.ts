import { resolve } from 'node:path';
import type { ServedMinor } from '../../model/scheme.ts';
import { commandHelpText } from '../commands.ts';
import type { CommandOutput } from '../output.ts';
import { shellWord } from '../shell-word.ts';
import { writeAssets } from './assets.ts';
import type { EnvtestEnvironment } from './environment.ts';
import { parseEnvtestOptions } from './options.ts';
import { goPlatform } from './platform.ts';
import { withInstalledExecutable } from './program.ts';
import { flagsOf, versionOf } from './releases.ts';
import { NO_KUBECTL, STAND_IN } from './roles.ts';

/** With `--bare`. */
const NO_CONTROLLERS = ['--controllers=-*'];

/**
 * Runs `binnacle envtest` and returns the exit code. It writes the programs that envtest looks for in
 * `KUBEBUILDER_ASSETS`, or an index of them for setup-envtest.
 * @throws ConfigurationError, and errors of the file system
 */
export async function runEnvtestCommand(
  words: readonly string[],
  environment: EnvtestEnvironment,
  output: CommandOutput,
): Promise<number> {
  const [first, ...rest] = words;
  if (first === STAND_IN) return (await import('./etcd-stand-in.ts')).runStandIn(rest, output);
  if (first === NO_KUBECTL) return refuseKubectl(output);
  if (words.includes('--help') || words.includes('-h')) {
    output.out(commandHelpText('envtest'));
    return 0;
  }
  const options = parseEnvtestOptions(words);
  const directory = resolve(options.directory);
  const flags = options.bare ? NO_CONTROLLERS : [];
  const { path, platform, architecture } = environment;
  const program = withInstalledExecutable(environment.program, platform, architecture);
  if (options.index)
    return (await import('./release-archives.ts')).writeReleases(
      { ...options, directory, flags },
      { ...environment, program },
      output,
    );
  const { os, arch } = goPlatform(platform, architecture);
  const stored = (minor: ServedMinor) => ({
    name: `${versionOf(minor)}-${os}-${arch}`,
    flags: flagsOf(minor),
  });
  const [minor, ...others] = options.minors;
  writeAssets(directory, {
    program,
    extension: platform === 'win32' ? '.exe' : '',
    path,
    flags,
    releases: [stored(minor), ...others.map(stored)],
  });
  output.out(setting(platform, directory));
  return 0;
}

/** The line that sets `KUBEBUILDER_ASSETS` in the shell of the platform. */
const setting = (platform: NodeJS.Platform, directory: string): string =>
  platform === 'win32'
    ? `$env:KUBEBUILDER_ASSETS = '${directory.replaceAll("'", "''")}'\n`
    : `export KUBEBUILDER_ASSETS=${shellWord(directory)}\n`;

function refuseKubectl({ error }: CommandOutput): number {
  error(
    'Error: no kubectl was on the PATH when binnacle envtest wrote this file: install one (https://kubernetes.io/docs/tasks/tools/) and run binnacle envtest again\n',
  );
  return 1;
}
