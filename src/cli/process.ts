import { realpathSync } from 'node:fs';
import { backupDataDirectory } from '../files/data-directory.ts';
import { runCommand } from './command.ts';

/** Runs the command line of this process and exits with its code. */
export async function runProcess(): Promise<never> {
  // A closed pipe of standard output must not stop the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
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
      ),
    runCel: async (words) => (await import('./cel/command.ts')).runCelCommand(words, output),
    runStorage: async (command, words) =>
      (await import('./storage-commands.ts')).runStorageCommand(command, words, output),
    runEnvtest: async (words) =>
      (await import('./envtest/command.ts')).runEnvtestCommand(
        words,
        { node: process.execPath, main: realpathSync(process.argv[1]!), path: process.env['PATH'] ?? '' },
        output,
      ),
    runPolicy: async (words) => (await import('./policy/command.ts')).runPolicyCommand(words, output),
  });
  // Flush both streams: text still in a pipe would be lost at exit.
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  // Exit at once: a client's idle connection must not keep a stopped server alive.
  process.exit(code);
}
