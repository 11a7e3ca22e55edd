import { isAbsolute, relative } from 'node:path';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { schemeOf } from '../model/scheme.ts';
import { createLogger } from '../observability/log.ts';
import { FLAGS } from '../options/flags/table.ts';
import type { ServerOptions } from '../options/options.ts';
import { PRODUCT_VERSION, versionText } from '../options/version.ts';
import { COMMANDS, commandHelpText } from './commands.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';
import { shellWord } from './shell-word.ts';
import { closest } from './suggestion.ts';

/** The part of a running server that the command line uses. */
export interface StoppableServer {
  readonly url: string;
  readonly port: number;
  /** Undefined when objects are kept in memory. */
  readonly dataDirectory: string | undefined;
  /** Undefined when none was written. */
  readonly kubeconfigFile: string | undefined;
  /** Drains and stops. */
  stop(reason: string): Promise<void>;
  /** Resolves when the server has stopped; rejects when a failure stopped it. */
  readonly closed: Promise<void>;
}

/** Commands with arguments of their own. They are loaded only when they run. */
const SEPARATE_COMMANDS = ['cel', 'compact', 'envtest', 'fsck', 'migrate', 'policy', 'restore'] as const;
export type SeparateCommand = (typeof SEPARATE_COMMANDS)[number];

/** The environment of a command: the process, or a test. The parts of the server load only when they are used. */
export interface CommandEnvironment {
  out(text: string): void;
  error(text: string): void;
  /** Whether the standard error is a terminal. */
  readonly interactive: boolean;
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): void;
  /**
   * Registers a listener for uncaught errors; `lasting` when the process must stop, as after an uncaught
   * exception.
   */
  onUncaughtError(listener: (error: unknown, fatal: boolean) => void): void;
  /** Ends the process at once. */
  exit(code: number): void;
  start(options: ServerOptions): Promise<StoppableServer>;
  backup(dataDirectory: string, target: string): Promise<void>;
  /** Runs a command with these words, which follow its name, and returns the exit code. */
  runSeparate(command: SeparateCommand, words: readonly string[]): Promise<number>;
}

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
    return fail(error, environment, 'see binnacle --help');
  }
  try {
    return await dispatch(commandLine, environment);
  } catch (error) {
    // The stack of a defect is printed only on request.
    const defect = error instanceof Error && !(error instanceof ConfigurationError);
    const code = fail(error, environment);
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
    return fail(error, environment);
  }
}

async function dispatch(commandLine: CommandLine, environment: CommandEnvironment): Promise<number> {
  const [command, ...rest] = commandLine.words;
  if (command !== undefined && !COMMANDS.has(command)) throw unknownCommand(command);
  if (commandLine.help) return await help(command === 'help' ? undefined : command, environment);
  if (commandLine.version !== undefined) return version(commandLine, environment);
  if (command === undefined) return await serve(commandLine, environment);
  if (command === 'backup') return await backup(commandLine, rest, environment);
  if (command === 'help') {
    const [topic, ...more] = rest;
    if (more.length > 0)
      throw new ConfigurationError('help takes one command at most: binnacle help [COMMAND]');
    if (topic !== undefined && !COMMANDS.has(topic)) throw unknownCommand(topic);
    return await help(topic, environment);
  }
  if (rest.length > 0)
    throw new ConfigurationError(`${command} takes no arguments: ${COMMANDS.get(command)!.usage}`);
  return version(commandLine, environment);
}

function unknownCommand(word: string): ConfigurationError {
  const suggestion = closest(word, COMMANDS.keys());
  const advice = suggestion === undefined ? 'see binnacle help' : `did you mean binnacle ${suggestion}?`;
  return new ConfigurationError(`unknown command ${JSON.stringify(word)} for "binnacle"; ${advice}`);
}

async function help(command: string | undefined, environment: CommandEnvironment): Promise<number> {
  if (command === undefined) environment.out((await import('./help.ts')).helpText());
  else environment.out(commandHelpText(command));
  return 0;
}

function version(commandLine: CommandLine, environment: CommandEnvironment): number {
  environment.out(`${versionText(commandLine.version ?? 'text', schemeOf().release)}\n`);
  return 0;
}

/** Reports a failure, in one line unless its message has several, and returns the exit code. @param advice unless the message has a suggestion */
function fail(error: unknown, environment: CommandEnvironment, advice?: string): number {
  const message = (error instanceof Error ? error.message : String(error)).trim();
  const suffix = advice === undefined || message.endsWith('?') ? '' : `; ${advice}`;
  // A message of several lines (a CEL error with its marker) starts on a line of its own.
  const text = message.includes('\n') ? `\n  ${message.replaceAll('\n', '\n  ')}` : ` ${message}`;
  environment.error(`Error:${text}${suffix}\n`);
  return 1;
}

async function serve(commandLine: CommandLine, environment: CommandEnvironment): Promise<number> {
  const { options, warnings } = commandLine;
  for (const warning of warnings) environment.error(`${warning}\n`);
  let running: StoppableServer | undefined;
  let stopping = false;
  let failed = false;
  const logger = createLogger({
    format: options.loggingFormat === 'json' ? 'json' : 'text',
    verbosity: 0,
    write: environment.error,
  });
  environment.onUncaughtError((error, fatal) => {
    if (running === undefined && fatal) {
      fail(error, environment);
      return environment.exit(1);
    }
    logger.error(fatal ? 'uncaught exception; stopping' : 'unhandled rejection; continuing', {
      err: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    if (!fatal) return;
    failed = true;
    stopping = true;
    running!.stop('uncaught exception').catch(() => {});
  });
  environment.onSignal((signal) => {
    if (stopping || running === undefined) return environment.exit(signal === 'SIGINT' ? 130 : 1);
    stopping = true;
    // A failure to stop rejects `closed`, which is awaited below.
    running.stop(signal).catch(() => {});
  });
  running = await environment.start(options);
  environment.out(startScreen(running, options));
  try {
    await running.closed;
    if (!stopping) throw new Error('the server stopped unexpectedly');
  } catch (error) {
    if (environment.interactive) return fail(error, environment);
    logger.error('command failed', { err: error instanceof Error ? error.message : String(error) });
    return 1;
  }
  return failed ? 1 : 0;
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

/** One screen: what a user needs to know to use the server. */
function startScreen(
  { url, port, dataDirectory, kubeconfigFile }: StoppableServer,
  options: ServerOptions,
): string {
  const rows: [string, string][] = [];
  if (options.securePort === undefined && port !== FLAGS.securePort.initial)
    rows.push(['Port', `${FLAGS.securePort.initial} is in use: serving on ${port}`]);
  rows.push([
    'Data',
    dataDirectory === undefined
      ? 'in memory: objects are lost when the server stops'
      : shortPath(dataDirectory),
  ]);
  if (kubeconfigFile === undefined) rows.push(['Kubeconfig', 'not written: set --kubeconfig-out=FILE']);
  else {
    rows.push(['Kubeconfig', shortPath(kubeconfigFile)]);
    rows.push(['Try', `kubectl --kubeconfig ${shellWord(shortPath(kubeconfigFile))} get namespaces`]);
  }
  rows.push(['Pods', 'stay Pending: this server does not run containers'], ['Stop', 'Ctrl-C']);
  const lines = rows.map(([name, text]) => `  ${name.padEnd(10)}  ${text}\n`).join('');
  return `Binnacle ${PRODUCT_VERSION} is ready at ${url}\n\n${lines}\n`;
}

/** The path relative to the current directory if it is below it. */
function shortPath(path: string): string {
  const below = isAbsolute(path) ? relative(process.cwd(), path) : path;
  return below === '' || below.startsWith('..') ? path : below;
}
