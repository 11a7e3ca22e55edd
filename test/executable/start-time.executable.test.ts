import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processorMilliseconds } from '../e2e/support/contract-server.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const EXECUTABLE = `dist/executables/binnacle-${version}-linux-x64`;
const COMMANDS = [[process.execPath, 'dist/main.js'], [EXECUTABLE]] as const;
const ROUNDS = 20;
/** What the executable may take, against Node.js with the package. */
const MOST = 1.1;

/** Processor time until a server with a store of its own is ready, in milliseconds. */
async function startTime([file, ...words]: readonly [string, ...string[]]): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-start-'));
  const child = spawn(file, [...words, `--data-dir=${directory}/data`, '--secure-port=0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => chunk.includes('is ready at') && resolve());
      child.on('close', (code) => reject(new Error(`${file} ended with ${code}`)));
    });
    return processorMilliseconds(child.pid!);
  } finally {
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.kill('SIGKILL');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;

it.skipIf(!COMMANDS.flat().every((file) => existsSync(file)))(
  'the executable starts in at most the processor time of Node.js and a tenth',
  async () => {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, command] of COMMANDS.entries()) times[index]!.push(await startTime(command));
    const [withNode, executable] = times.map(median) as [number, number];
    console.log(`processor time of a start: ${withNode} ms with Node.js, ${executable} ms of the executable`);
    expect(executable).toBeLessThanOrEqual(MOST * withNode);
  },
);
