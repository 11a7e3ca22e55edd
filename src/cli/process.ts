import { realpathSync } from 'node:fs';
import { backupDataDirectory } from '../files/data-directory.ts';
import { runCommand, type SeparateCommand } from './command.ts';
import type { CommandOutput } from './output.ts';

/** Runs the command line of this process and exits with its code. */
export async function runProcess(): Promise<never> {
  // A closed pipe of standard output must not stop the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // Without a listener Node.js opens a debugger on a port of 127.0.0.1, which every user of the machine could use.
  process.on('SIGUSR1', () => undefined);
  const output = {
    out: (text: string) => process.stdout.write(text),
    error: (text: string) => process.stderr.write(text),
  };
  const code = await runCommand(process.argv.slice(2), {
    ...output,
    interactive: process.stderr.isTTY === true,
    onSignal: (listener) => {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
    },
    onUncaughtError: (listener) => {
      process.on('unhandledRejection', (error) => listener(error, false));
      process.on('uncaughtException', (error) => listener(error, true));
    },
    exit: (code) => process.exit(code),
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
    runSeparate: (command, words) => runSeparate(command, words, output),
  });
  // Flush both streams: text still in a pipe would be lost at exit.
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  // Exit at once: a client's idle connection must not keep a stopped server alive.
  process.exit(code);
}

async function runSeparate(
  command: SeparateCommand,
  words: readonly string[],
  output: CommandOutput,
): Promise<number> {
  switch (command) {
    case 'cel':
      return (await import('./cel/command.ts')).runCelCommand(words, output);
    case 'policy':
      return (await import('./policy/command.ts')).runPolicyCommand(words, output);
    case 'envtest':
      return (await import('./envtest/command.ts')).runEnvtestCommand(
        words,
        { node: process.execPath, main: realpathSync(process.argv[1]!), path: process.env['PATH'] ?? '' },
        output,
      );
    default:
      return (await import('./storage-commands.ts')).runStorageCommand(command, words, output);
  }
}
