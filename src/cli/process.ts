import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { backupDataDirectory } from '../files/data-directory.ts';
import { writeStandardError } from '../observability/standard-error.ts';
import { holdingClock, processClock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';
import { runCommand } from './command.ts';
import type { SeparateCommand } from './environment.ts';
import type { Program } from './envtest/program.ts';
import { hasRole, roleWords } from './envtest/roles.ts';
import { createEphemeralFolder } from './ephemeral-folder.ts';
import type { CommandOutput } from './output.ts';
import { followParent, parentProcess } from './parent.ts';

/** Longest time for the reader of the standard error to take the last lines, in milliseconds. */
const FLUSH_MILLISECONDS = 200;

/** How a process was started. */
export interface ProcessStart {
  /** What starts this Binnacle again. */
  readonly program: Program;
  /** The file as which it was started: one that `binnacle envtest` wrote has a role. */
  readonly file: string | undefined;
  /** The words after it. */
  readonly words: readonly string[];
}

/**
 * How Node.js was started with `main.js`. The first line of a file that `binnacle envtest` wrote names both, and the
 * system adds the path of the file.
 */
export function startByNode(): ProcessStart {
  const [node, main, first, ...rest] = process.argv as [string, string, ...string[]];
  const words = process.argv.slice(2);
  const program = { node, main: realpathSync(main) };
  const isFile = first !== undefined && basename(first) !== first && hasRole(first);
  return isFile ? { program, file: first, words: rest } : { program, file: undefined, words };
}

/** Runs the command line of this process and exits with its code. */
export async function runProcess({ program, file, words }: ProcessStart): Promise<never> {
  // A closed pipe of standard output must not stop the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // Without a listener Node.js opens a debugger on a port of 127.0.0.1, which every user of the machine could use.
  process.on('SIGUSR1', () => undefined);
  const output = {
    out: (text: string) => process.stdout.write(text),
    error: writeStandardError,
  };
  const given = (file && roleWords(file, words, process.env)) || words;
  const code = await runCommand(given, {
    ...output,
    interactive: process.stderr.isTTY === true,
    onSignal: (listener) => {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
    },
    onParentEnd: (listener) => followParent(parentProcess, processClock, listener),
    onUncaughtError: (listener) => {
      process.on('unhandledRejection', (error) => listener(error, false));
      process.on('uncaughtException', (error) => listener(error, true));
    },
    after: (milliseconds, act) => void processClock.after(milliseconds, act),
    exit: (code) => process.exit(code),
    ephemeralFolder: createEphemeralFolder(),
    start: async (options) => (await import('../server.ts')).startServer(options),
    backup: async (dataDirectory, target) =>
      backupDataDirectory(
        dataDirectory,
        target,
        (await import('../storage/embedded/index.ts')).backupDirectory,
        {
          source: 'name the data directory of a server with --data-dir',
          target: 'name a new or empty directory for the backup',
        },
      ),
    runSeparate: (command, words) => runSeparate(command, words, program, output),
  });
  // Flush both streams: text still in a pipe would be lost at exit.
  await flushed(process.stdout);
  // A parent that does not read the log must not hold the process.
  await Promise.race([flushed(process.stderr), pause(FLUSH_MILLISECONDS, holdingClock)]);
  // Exit at once: a client's idle connection must not keep a stopped server alive.
  process.exit(code);
}

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()));

async function runSeparate(
  command: SeparateCommand,
  words: readonly string[],
  program: Program,
  output: CommandOutput,
): Promise<number> {
  switch (command) {
    case 'cel':
      return (await import('./cel/command.ts')).runCelCommand(words, output);
    case 'doctor':
      return (await import('./doctor/command.ts')).runDoctorCommand(words, output);
    case 'policy':
      return (await import('./policy/command.ts')).runPolicyCommand(words, output);
    case 'versions':
      return (await import('./versions/command.ts')).runVersionsCommand(words, output);
    case 'envtest':
      return (await import('./envtest/command.ts')).runEnvtestCommand(
        words,
        {
          program,
          path: process.env['PATH'] ?? '',
          platform: process.platform,
          architecture: process.arch,
        },
        output,
      );
    default:
      return (await import('./storage-commands.ts')).runStorageCommand(command, words, output);
  }
}
