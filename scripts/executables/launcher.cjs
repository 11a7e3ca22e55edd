#!/usr/bin/env node
// Starts the executable of the platform's package, which npm has installed beside this one.
'use strict';
const { spawn } = require('node:child_process');

const name = `@binnacle/${process.platform}-${process.arch}`;
const file = process.platform === 'win32' ? 'binnacle.exe' : 'binnacle';
let executable;
try {
  executable = require.resolve(`${name}/bin/${file}`);
} catch {
  process.stderr.write(
    `Error: the package ${name} is not installed: install @binnacle/executable with its optional dependencies, or, where there is no such package, use the package binnacle\n`,
  );
  process.exit(1);
}
const words = process.argv.slice(2);
// Where Node.js can, the executable takes the place of this process, with its number and its parent.
if (process.platform !== 'win32' && process.execve !== undefined)
  process.execve(executable, [executable, ...words], process.env);
const child = spawn(executable, words, { stdio: 'inherit' });
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const forward = (signal) => child.kill(signal);
for (const signal of signals) process.on(signal, forward);
child.on('error', (error) => {
  process.stderr.write(`Error: ${executable}: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  for (const name of signals) process.removeListener(name, forward);
  if (signal === null) process.exit(code);
  process.kill(process.pid, signal);
});
