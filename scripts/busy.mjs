#!/usr/bin/env node
// Runs the unit tests beside eight busy processes: tests must not depend on how fast the machine is.
//
// node scripts/busy.mjs [ARGUMENT OF vitest run …]
import { spawn } from 'node:child_process';

const BUSY_PROCESSES = 8;
/** Ends with its parent, however that ends. */
const BUSY = `const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i += 1);`;

const busy = Array.from({ length: BUSY_PROCESSES }, () =>
  spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }),
);
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...process.argv.slice(2)];
const tests = spawn(process.execPath, vitest, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal));
tests.on('close', (code) => {
  for (const child of busy) child.kill();
  process.exitCode = code ?? 1;
});
