import { ConfigurationError } from '../errors/configuration-error.ts';
import { schemeOf } from '../model/scheme.ts';
import { FLAGS } from '../options/flags/table.ts';
import { versionText } from '../options/version.ts';
import { COMMANDS, commandHelpText } from './commands.ts';
import { type CommandEnvironment, SEPARATE_COMMANDS, type SeparateCommand } from './environment.ts';
import { reportFailure } from './failure.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';
import { serve } from './serve.ts';
import { closest } from './suggestion.ts';

/**
 * Runs a command line, without the program's name, to its end and returns the exit code. Until the server
 * runs, each failure is one line `Error: …` on the standard error.
 */
export async function runCommand(words: readonly string[], environment: CommandEnvironment): Promise<number> {
  const [word, topic] = words;
  if (isSeparate(word)) return runSeparate(word, words.slice(1), environment);
  // The texts of these two list options that COMMANDS does not have.
  if (word === 'help' && words.length === 2 && (topic === 'cel' || topic === 'policy'))
    return runSeparate(topic, ['--help'], environment);
  let commandLine: CommandLine;
  try {
    commandLine = parseCommandLine(words);
  } catch (error) {
    return reportFailure(error, environment, 'see binnacle --help');
  }
  try {
    return await dispatch(commandLine, environment);
  } catch (error) {
    // The stack of a defect is printed only on request.
    const defect = error instanceof Error && !(error instanceof ConfigurationError);
    const code = reportFailure(error, environment);
    if (defect && (commandLine.options.v ?? 0) >= 4) environment.error(`${error.stack}\n`);
    return code;
  }
}

const isSeparate = (word: string | undefined): word is SeparateCommand =>
  (SEPARATE_COMMANDS as readonly (string | undefined)[]).includes(word);

async function runSeparate(
  command: SeparateCommand,
  words: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  try {
    return await environment.runSeparate(command, words);
  } catch (error) {
    return reportFailure(error, environment);
  }
}

async function dispatch(commandLine: CommandLine, environment: CommandEnvironment): Promise<number> {
  const [command, ...rest] = commandLine.words;
  if (command !== undefined && !COMMANDS.has(command)) throw unknownCommand(command);
  if (commandLine.help) return await help(command === 'help' ? undefined : command, environment);
  if (commandLine.version !== undefined) return version(commandLine, environment);
  if (command === 'backup') return await backup(commandLine, rest, environment);
  if (command === 'help') {
    const [topic, ...more] = rest;
    if (more.length > 0)
      throw new ConfigurationError('help takes one command at most: binnacle help [COMMAND]');
    if (topic !== undefined && !COMMANDS.has(topic)) throw unknownCommand(topic);
    return await help(topic, environment);
  }
  if (rest.length > 0)
    throw new ConfigurationError(`${command} takes no arguments: ${COMMANDS.get(command!)!.usage}`);
  return command === 'version' ? version(commandLine, environment) : await serve(commandLine, environment);
}

function unknownCommand(word: string): ConfigurationError {
  const suggestion = closest(word, COMMANDS.keys());
  const advice = suggestion === undefined ? 'see binnacle help' : `did you mean binnacle ${suggestion}?`;
  return new ConfigurationError(`unknown command ${JSON.stringify(word)} for "binnacle"; ${advice}`);
}

async function help(command: string | undefined, environment: CommandEnvironment): Promise<number> {
  if (command === undefined || command === 'serve') environment.out((await import('./help.ts')).helpText());
  else environment.out(commandHelpText(command));
  return 0;
}

function version(commandLine: CommandLine, environment: CommandEnvironment): number {
  environment.out(`${versionText(commandLine.version ?? 'text', schemeOf().release)}\n`);
  return 0;
}

async function backup(
  { options }: CommandLine,
  words: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const [target, ...more] = words;
  if (target === undefined || more.length > 0)
    throw new ConfigurationError(
      'backup takes one argument, the directory to write to: binnacle backup DIR [--data-dir DATA]',
    );
  const dataDirectory = options.dataDir ?? FLAGS.dataDir.initial;
  await environment.backup(dataDirectory, target);
  environment.out(
    `The data of ${dataDirectory} is copied to ${target}. A server started with --data-dir=${target} has it.\n`,
  );
  return 0;
}
