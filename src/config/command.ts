import { isAbsolute, relative } from 'node:path';
import { createLogger } from '../observability/log.ts';
import { ConfigurationError } from './errors.ts';
import { type CommandLine, parseCommandLine } from './flags/parse.ts';
import { FLAGS } from './flags/table.ts';
import type { ServerOptions } from './options.ts';
import { PRODUCT_VERSION, versionText } from './version.ts';

/** What the command line needs of a running server. */
export interface StoppableServer {
  readonly url: string;
  readonly dataDirectory: string;
  readonly kubeconfigFile: string;
  /** Drains and stops. */
  stop(reason: string): Promise<void>;
  /** Settles when the server has ended; rejects when something made it end. */
  readonly closed: Promise<void>;
}

/** The world a command runs in: the process, or a test's. The parts of the server load only when they are used. */
export interface CommandEnvironment {
  out(text: string): void;
  error(text: string): void;
  /** Whether a person reads the errors. */
  readonly interactive: boolean;
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): void;
  /** Told what was thrown where nobody could catch it; `lasting` when the state it left behind cannot be trusted. */
  onFault(listener: (error: unknown, lasting: boolean) => void): void;
  /** Ends the process at once. */
  exit(code: number): void;
  start(options: ServerOptions): Promise<StoppableServer>;
  backup(dataDirectory: string, target: string): Promise<void>;
  /** Tries expressions as the words say, which have flags of their own, and answers with the exit code. */
  tryExpressions(words: readonly string[]): Promise<number>;
}

/** Runs a command line, without the program's name, to its end, and answers with the exit code. */
export async function runCommand(words: readonly string[], environment: CommandEnvironment): Promise<number> {
  if (words[0] === 'cel') return environment.tryExpressions(words.slice(1));
  let commandLine: CommandLine;
  try {
    commandLine = parseCommandLine(words);
  } catch (error) {
    environment.error(`Error: ${(error as Error).message}\n`);
    return 1;
  }
  const [command, ...rest] = commandLine.words;
  if (commandLine.help) {
    environment.out((await import('./flags/help.ts')).helpText());
    return 0;
  }
  if (commandLine.version !== undefined || (command === 'version' && rest.length === 0)) {
    environment.out(`${versionText(commandLine.version ?? 'text')}\n`);
    return 0;
  }
  try {
    if (command === undefined) return await serve(commandLine, environment);
    if (command === 'backup') return await backup(commandLine, rest, environment);
    throw new ConfigurationError(`unknown command ${JSON.stringify(command)} for "binnacle"; see binnacle --help`);
  } catch (error) {
    reportFailure(error, commandLine, environment);
    return 1;
  }
}

async function serve(commandLine: CommandLine, environment: CommandEnvironment): Promise<number> {
  const { options, warnings } = commandLine;
  for (const warning of warnings) environment.error(`${warning}\n`);
  let running: StoppableServer | undefined;
  let stopping = false;
  let faulty = false;
  const logger = createLogger({ format: options.loggingFormat === 'json' ? 'json' : 'text', verbosity: 0, write: environment.error });
  environment.onFault((error, lasting) => {
    logger.error(lasting ? 'a fault of the server: it stops' : 'a fault of the server: it goes on', {
      err: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    if (!lasting) return;
    faulty = true;
    if (running === undefined) return environment.exit(1);
    stopping = true;
    running.stop('fault').catch(() => {});
  });
  environment.onSignal((signal) => {
    if (stopping || running === undefined) return environment.exit(signal === 'SIGINT' ? 130 : 1);
    stopping = true;
    // A failure to stop comes out of `closed`, which is awaited below.
    running.stop(signal).catch(() => {});
  });
  running = await environment.start(options);
  environment.out(startScreen(running));
  await running.closed;
  if (!stopping) throw new Error('the server has ended by itself');
  return faulty ? 1 : 0;
}

async function backup({ options }: CommandLine, words: readonly string[], environment: CommandEnvironment): Promise<number> {
  const [target, ...more] = words;
  if (target === undefined || more.length > 0)
    throw new ConfigurationError('backup takes one argument, the directory to write to: binnacle backup DIR [--data-dir DATA]');
  const dataDirectory = options.dataDir ?? FLAGS.dataDir.initial;
  await environment.backup(dataDirectory, target);
  environment.out(`The data of ${dataDirectory} is copied to ${target}. A server started with --data-dir=${target} has it.\n`);
  return 0;
}

/** One screen: what one has to know to use the server. */
function startScreen({ url, dataDirectory, kubeconfigFile }: StoppableServer): string {
  return `Binnacle ${PRODUCT_VERSION} is ready at ${url}

  Data        ${shortPath(dataDirectory)}
  Kubeconfig  ${shortPath(kubeconfigFile)}
  Try         kubectl --kubeconfig ${shellWord(shortPath(kubeconfigFile))} get namespaces
  Stop        Ctrl-C

`;
}

/** As a path below the current directory where it lies there. */
function shortPath(path: string): string {
  const below = isAbsolute(path) ? relative(process.cwd(), path) : path;
  return below === '' || below.startsWith('..') ? path : below;
}

function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** One line and no stack: to a person as a sentence, to a log as Kubernetes' components end theirs. */
function reportFailure(error: unknown, { options }: CommandLine, environment: CommandEnvironment): void {
  const message = error instanceof Error ? error.message : String(error);
  if (environment.interactive) environment.error(`Error: ${message}\n`);
  else
    createLogger({ format: options.loggingFormat === 'json' ? 'json' : 'text', verbosity: 0, write: environment.error }).error('command failed', {
      err: message,
    });
  // Faults of the program itself, not of its configuration or its surroundings, need their stack to be found.
  if (error instanceof Error && !(error instanceof ConfigurationError) && (options.v ?? 0) >= 4) environment.error(`${error.stack}\n`);
}
