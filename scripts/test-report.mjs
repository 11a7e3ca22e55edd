#!/usr/bin/env node
// Reads the JSON report of vitest and prints `PASSED FAILED`. Counts as a failure: a test file that cannot be
// loaded, a test that was skipped without one of the reasons below, and a run without tests.
//
// node scripts/test-report.mjs REPORT EXIT-STATUS-OF-VITEST
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const runs = (command, ...words) => spawnSync(command, words, { stdio: 'ignore' }).status === 0;

function canMount() {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-mount-'));
  const mounted = runs('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory);
  if (mounted) runs('umount', directory);
  rmdirSync(directory);
  return mounted;
}

/** Whether an unprivileged user can run programs from this directory. */
function othersCanRun() {
  const script = 'require("fs").accessSync("node_modules/vitest/package.json")';
  return (
    spawnSync(process.execPath, ['-e', script], { uid: 65534, gid: 65534, stdio: 'ignore' }).status === 0
  );
}

/** Whether the Go modules that the test of published definitions names can be downloaded. */
function canDownloadModules() {
  const test = readFileSync('test/e2e/published-definitions.test.ts', 'utf8');
  const modules = [...test.matchAll(/^ {4}module: '([^']+)'/gm)].map(([, module]) => module);
  return modules.every((module) => runs('go', 'mod', 'download', module));
}

/** Accepted reasons for skipped tests on this machine. */
const EXCUSES = [
  {
    files: /^test\/e2e\/(kubectl.*|durability)\.test\.ts$/,
    reason: 'kubectl is not installed',
    holds: () => !runs('kubectl', 'version', '--client'),
  },
  {
    files: /^test\/e2e\/tools-custom-resources\.test\.ts$/,
    reason: 'kubectl, helm or kopf is not installed',
    holds: () =>
      !runs('kubectl', 'version', '--client') || !runs('helm', 'version') || !runs('kopf', '--version'),
  },
  {
    files: /^test\/e2e\/http2-clients\.test\.ts$/,
    reason: 'Go, Java, curl, h2load or httpx with h2 is not installed',
    holds: () =>
      !runs('go', 'version') ||
      !runs('java', '--version') ||
      !runs('curl', '--version') ||
      !runs('h2load', '--version') ||
      !runs(process.env.BINNACLE_TEST_PYTHON ?? 'python3', '-c', 'import httpx, h2'),
  },
  {
    files: /^test\/e2e\/published-definitions\.test\.ts$/,
    reason: 'kubectl is not installed or a Go module cannot be downloaded',
    holds: () => !runs('kubectl', 'version', '--client') || !canDownloadModules(),
  },
  {
    files: /^test\/e2e\/kube-apiserver\.etcd\.test\.ts$/,
    reason: 'BINNACLE_KUBE_APISERVER names no kube-apiserver',
    holds: () => !runs(process.env.BINNACLE_KUBE_APISERVER || 'kube-apiserver', '--version'),
  },
  {
    files: /^test\/e2e\/kubectl-cluster\.test\.ts$/,
    reason: 'openssl is not installed',
    holds: () => !runs('openssl', 'version'),
  },
  {
    files: /^test\/e2e\/(executable|container)\.test\.ts$/,
    reason: 'BINNACLE_EXECUTABLE names no executable',
    holds: () => process.env.BINNACLE_EXECUTABLE === undefined,
  },
  {
    files: /^test\/e2e\/(executable|container)\.test\.ts$/,
    reason: 'no root directory can be mounted or entered',
    holds: () => process.getuid?.() !== 0 || !runs('unshare', '--mount', '--pid', '--fork', 'true'),
  },
  {
    files: /(^|\/)full-disk\.test\.ts$/,
    reason: 'cannot mount a small file system',
    holds: () => !canMount(),
  },
  {
    files: /\/storage\/embedded\/directory\.test\.ts$/,
    reason: 'unprivileged users cannot run programs from this directory',
    holds: () => !othersCanRun(),
  },
  {
    files: /\/make-directory\.test\.ts$/,
    reason: '/proc does not exist',
    holds: () => !existsSync('/proc/self'),
  },
];

const [file, status] = process.argv.slice(2);
const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
let failed = numFailedTests;
const problem = (text) => {
  failed += 1;
  console.error(text);
};
const excused = new Map();
for (const { name, status: outcome, message, assertionResults } of testResults) {
  const path = relative(process.cwd(), name);
  if (outcome === 'failed' && !assertionResults.some((one) => one.status === 'failed'))
    problem(`${path} failed to run: ${message}`);
  for (const one of assertionResults) {
    if (one.status === 'passed' || one.status === 'failed') continue;
    const excuse = EXCUSES.find(({ files, holds }) => files.test(path) && holds());
    if (excuse === undefined) problem(`skipped without an accepted reason: ${path}: ${one.fullName}`);
    else excused.set(excuse.reason, (excused.get(excuse.reason) ?? 0) + 1);
  }
}
for (const [reason, count] of excused) console.error(`${count} tests were skipped: ${reason}`);
if (passed === 0 && failed === 0 && excused.size === 0) problem('no test was run');
// Errors outside of tests, such as unhandled rejections, only affect the exit status.
if (status !== '0' && failed === 0) problem(`vitest ended with ${status} although no test failed`);
console.log(passed, failed);
