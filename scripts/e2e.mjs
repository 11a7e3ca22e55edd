#!/usr/bin/env node
// Runs the end-to-end tests on another program than dist/main.js with the Node.js at hand; more words go to vitest.
//
//   node scripts/e2e.mjs executable      on the executable of this platform (npm run executables)
//   node scripts/e2e.mjs oldest          with the oldest supported Node.js, from the registry
//   node scripts/e2e.mjs newest          with the newest one there
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from './executables/packages.mjs';
import { executableName, HOST, PLATFORMS } from './executables/platforms.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
/** Exit status of a step that is skipped. */
const SKIPPED = 77;
const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Node.js of the registry. @param range a version, or none for the newest */
function nodeOf(range) {
  const { node, path } = PLATFORMS[HOST] ?? {};
  if (node === undefined) {
    console.log(`skipped: the registry has no Node.js for ${HOST}`);
    process.exit(SKIPPED);
  }
  const view = (field) =>
    execFileSync('npm', ['view', range === undefined ? node : `${node}@${range}`, field], {
      encoding: 'utf8',
    }).trim();
  const found = range ?? view('version');
  return join(packageFolder(node, found, view('dist.integrity')), path);
}

/** What the tests run on: Node.js, and variables of their environment. */
function subject(name) {
  if (name === 'oldest') return { node: nodeOf(`${engines.node.replace('>=', '')}.0`) };
  if (name === 'newest') return { node: nodeOf(undefined) };
  if (name !== 'executable') throw new Error('name one of executable, oldest, newest');
  const file = resolve('dist/executables', executableName(version, HOST));
  if (!existsSync(file)) throw new Error(`${file} is missing: npm run executables -- ${HOST}`);
  return { node: process.execPath, variables: { BINNACLE_EXECUTABLE: file } };
}

const [name, ...words] = process.argv.slice(2);
const { node, variables } = subject(name);
console.log(`${name}: Node.js ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', ...words], {
  stdio: 'inherit',
  env: { ...process.env, ...variables, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
});
process.exit(status ?? 1);
