import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Runs a TypeScript program of this directory in a child process. */
export function startProgram(
  name: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const path = fileURLToPath(new URL(name, import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
}

/** Lines of the process's output until it exits. */
export function linesOf(child: ChildProcess): AsyncIterable<string> {
  return createInterface({ input: child.stdout! });
}

export function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()));
}

/**
 * Runs a program as the child of a process that never waits for it, so that it stays a zombie when it exits.
 * Resolves when it has written the line `ready`.
 */
export async function startUnderCarelessParent(
  name: string,
  args: readonly string[],
  ready: string,
): Promise<{ parent: ChildProcess; pid: number }> {
  const path = fileURLToPath(new URL(name, import.meta.url));
  const script = '"$@" & echo "pid $!"; exec sleep 600';
  const command = ['-c', script, 'sh', process.execPath, '--import', 'tsx', path, ...args];
  const parent = spawn('/bin/sh', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  let pid = 0;
  let isReady = false;
  const lines = createInterface({ input: parent.stdout! });
  for await (const line of lines) {
    if (line.startsWith('pid ')) pid = Number(line.slice(4));
    if (line === ready) isReady = true;
    if (pid > 0 && isReady) break;
  }
  return { parent, pid };
}
