#!/usr/bin/env node
import { runCommand } from './config/command.ts';
import { backupDataDirectory } from './config/data-directory.ts';

// Whoever read the output has gone: no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const output = { out: (text: string) => process.stdout.write(text), error: (text: string) => process.stderr.write(text) };
const code = await runCommand(process.argv.slice(2), {
  ...output,
  interactive: process.stderr.isTTY === true,
  onSignal: (listener) => {
    process.on('SIGINT', listener);
    process.on('SIGTERM', listener);
  },
  onFault: (listener) => {
    process.on('unhandledRejection', (error) => listener(error, false));
    process.on('uncaughtException', (error) => listener(error, true));
  },
  exit: (code) => process.exit(code),
  start: async (options) => (await import('./server.ts')).startServer(options),
  backup: async (dataDirectory, target) => backupDataDirectory(dataDirectory, target, (await import('./storage/embedded/index.ts')).backupDirectory),
  tryExpressions: async (words) => {
    const exitCode = (await import('./commands/cel/command.ts')).runCelCommand(words, output);
    // What is on its way through a pipe would be lost with the process.
    for (const stream of [process.stdout, process.stderr]) await new Promise<void>((resolve) => stream.write('', () => resolve()));
    return exitCode;
  },
});
// Not left to the end of the last handle: a client's idle connection must not keep a stopped server alive.
process.exit(code);
