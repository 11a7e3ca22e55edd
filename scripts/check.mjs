#!/usr/bin/env node
// Checks a change in a minute of processor time: formatting, lint, imports, types and the unit tests near it. The change
// is what differs from the branch `main`, or from HEAD if that is main. Results are kept below node_modules/.cache.
//
// node scripts/check.mjs [--base COMMIT]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importersOf, relatedTests } from './support/related-tests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/check');
/** Seconds that the chosen tests took when they were last run. */
const MOST_TEST_SECONDS = 15;
/** A test file that was not run yet. */
const UNKNOWN_SECONDS = 1;
/** Duration of each test file in seconds. */
const durationsFile = join(cache, 'durations.json');
const reportFile = join(cache, 'report.json');
const { values: options } = parseArgs({ options: { base: { type: 'string' } } });

function linesOf(command, ...words) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Returns the commit from which the change is counted. */
function baseCommit() {
  if (options.base !== undefined) return options.base;
  const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', 'main'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : 'HEAD';
}

const changedFiles = (base) => [
  ...linesOf('git', 'diff', '--name-only', '--diff-filter=d', '--relative', base),
  ...linesOf('git', 'ls-files', '--others', '--exclude-standard'),
];

/** Runs a program of Node.js. @returns whether it succeeded, and its output */
async function check(name, script, ...words) {
  const child = spawn(process.execPath, [script, ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { name, passed: status === 0, output };
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Chooses the nearest tests until their time is used up; the nearest one is run in any case. */
function chooseTests(changed) {
  const tests = linesOf(
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'list',
    '--filesOnly',
    '--project=unit',
  ).map((line) => line.replace('[unit] ', ''));
  const durations = readJson(durationsFile) ?? {};
  const related = relatedTests(changed, importersOf(root), tests);
  let seconds = 0;
  const chosen = related.filter((test, index) => {
    const duration = durations[test] ?? UNKNOWN_SECONDS;
    if (index > 0 && seconds + duration > MOST_TEST_SECONDS) return false;
    seconds += duration;
    return true;
  });
  return { chosen, skipped: related.length - chosen.length };
}

/** Keeps how long the test files of the last report took. */
function recordDurations() {
  const report = readJson(reportFile);
  if (report === undefined) return;
  const durations = readJson(durationsFile) ?? {};
  for (const { name, startTime, endTime } of report.testResults)
    durations[relative(root, name)] = Math.round(endTime - startTime) / 1000;
  writeFileSync(durationsFile, JSON.stringify(durations));
}

mkdirSync(cache, { recursive: true });
const changed = changedFiles(baseCommit());
if (changed.length === 0) {
  console.log('nothing has changed');
  process.exit(0);
}
const { chosen, skipped } = chooseTests(changed);
const types = ['--noEmit', '--incremental', '--tsBuildInfoFile', join(cache, 'types.tsbuildinfo')];
const vitest = [
  'run',
  '--project=unit',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile}`,
];
const checks = [
  check(
    'lint',
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--error-on-warnings',
    '--no-errors-on-unmatched',
    ...changed,
  ),
  check('imports', 'scripts/check-imports.mjs'),
  check('types', 'node_modules/typescript/bin/tsc', ...types),
  ...(chosen.length > 0 ? [check('tests', 'node_modules/vitest/vitest.mjs', ...vitest, ...chosen)] : []),
];
for (const running of checks) {
  const { name, passed, output } = await running;
  console.log(`${name}: ${passed ? 'passed' : 'FAILED'}`);
  if (!passed) console.log(output.trimEnd());
  if (!passed) process.exitCode = 1;
}
if (chosen.length > 0) recordDurations();
console.log(
  `${changed.length} changed files; ${chosen.length} test files were run, ${skipped} that are farther or slow were not; ` +
    'nor were unused code, end-to-end tests, costs and suites, see .ci/run',
);
