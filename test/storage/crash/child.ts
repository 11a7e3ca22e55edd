import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Runs a TypeScript program of this directory in a process of its own. */
export function startProgram(name: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const path = fileURLToPath(new URL(name, import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', path, ...args], { stdio: ['ignore', 'pipe', 'inherit'], ...options });
}

/** Lines that the process writes, until it ends. */
export function linesOf(child: ChildProcess): AsyncIterable<string> {
  return createInterface({ input: child.stdout! });
}

export function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()));
}
