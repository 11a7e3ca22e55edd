#!/usr/bin/env node
// Runs specs of Kubernetes' e2e.test on the built server with simulated nodes, and compares the results with the list
// of those that pass (test/upstream/e2e-passing.txt). Fails if a listed spec fails.
//
// E2E_TEST=/path/to/e2e.test node scripts/upstream-e2e.mjs [--jobs N] [--list FILE] [--report DIRECTORY] [--update]
// [PATTERN …]
//
// PATTERN: a regular expression on the names of specs. Default: every listed spec.
// --update: runs all specs that match, listed or not, and adds those that pass. A spec that needs containers takes up to
// 15 minutes to fail.
// --jobs N: servers at the same time, each with a part of the specs.
// --report DIRECTORY: keeps the output and the results of each part.
//
// The program is built from the source of a release of Kubernetes: go test -c -vet=off ./test/e2e. It runs kubectl.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { finish, parseJobs, readList, root, workOff, writeList } from './support/ratchet.mjs';

const NODES = 3;
const { values: options, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '4' },
    list: { type: 'string', default: join(root, 'test/upstream/e2e-passing.txt') },
    report: { type: 'string' },
    update: { type: 'boolean' },
  },
});
const program = process.env['E2E_TEST'];
if (program === undefined) {
  console.log('skipped: E2E_TEST names no e2e.test');
  process.exit(0);
}
const jobs = parseJobs(options.jobs);
const listFile = resolve(options.list);
const directory = resolve(options.report ?? mkdtempSync(join(tmpdir(), 'binnacle-upstream-')));
mkdirSync(directory, { recursive: true });
if (options.report === undefined)
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

/** The names of all specs of the program. */
function knownSpecs() {
  const file = join(directory, 'specs.txt');
  const output = openSync(file, 'w');
  spawnSync(program, ['--list-tests'], { stdio: ['ignore', output, 'ignore'] });
  closeSync(output);
  return [...readFileSync(file, 'utf8').matchAll(/^\s+\S+\.go:\d+: (?<name>.*)$/gm)].map(({ groups }) =>
    groups.name.trim(),
  );
}

/** Starts a server in a folder; resolves with its kubeconfig and what ends it. */
async function startServer(folder) {
  const kubeconfig = join(folder, 'kubeconfig');
  const words = [
    join(root, 'dist/main.js'),
    '--ephemeral',
    '--secure-port=0',
    `--kubeconfig-out=${kubeconfig}`,
    '--allow-privileged=true',
    `--simulate-nodes=${NODES}`,
    `--simulation-config=${join(root, 'test/upstream/simulation.yaml')}`,
  ];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.on('close', done));
  process.on('exit', () => child.kill('SIGKILL'));
  let output = '';
  await new Promise((ready, fail) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      // The line of the start contract.
      if (output.includes('\n')) ready();
    });
    child.on('close', () => fail(new Error(`the server ended:\n${output}`)));
  });
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { kubeconfig, stop };
}

const focusOn = (name) => `--ginkgo.focus=${name.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}\\s*$`;

/** Runs specs one after another on a server of their own. @returns the names of those that pass */
async function play(specs, folder) {
  mkdirSync(folder, { recursive: true });
  const server = await startServer(folder);
  const report = join(folder, 'report.json');
  const words = [
    `--kubeconfig=${server.kubeconfig}`,
    '--provider=skeleton',
    `--num-nodes=${NODES}`,
    '--dump-logs-on-failure=false',
    '--ginkgo.no-color',
    '--ginkgo.v',
    '--ginkgo.timeout=6h',
    `--ginkgo.json-report=${report}`,
    ...specs.map(focusOn),
  ];
  const output = openSync(join(folder, 'output.txt'), 'w');
  await new Promise((done, fail) => {
    const child = spawn(program, words, { cwd: folder, stdio: ['ignore', output, output] });
    child.on('error', fail);
    child.on('close', done);
  });
  closeSync(output);
  await server.stop();
  if (!existsSync(report)) return [];
  return JSON.parse(readFileSync(report, 'utf8'))
    .flatMap(({ SpecReports: reports }) => reports ?? [])
    .filter(({ LeafNodeType: type, State: state }) => type === 'It' && state === 'passed')
    .map(({ ContainerHierarchyTexts: texts, LeafNodeText: text }) =>
      [...(texts ?? []), text].join(' ').trim(),
    );
}

const listed = readList(listFile);
const matching = patterns.map((pattern) => new RegExp(pattern));
const matches = (name) => matching.length === 0 || matching.some((pattern) => pattern.test(name));
const known = new Set(knownSpecs());
const chosen = (options.update ? [...known] : listed).filter(matches);
const parts = Array.from({ length: Math.min(jobs, chosen.length) }, (_, part) =>
  chosen.filter((_name, index) => index % jobs === part),
);
const passed = new Set();
await workOff([...parts.entries()], jobs, async ([part, specs]) => {
  for (const name of await play(specs, join(directory, `part-${part}`))) passed.add(name);
});
const failed = chosen.filter((name) => !passed.has(name));
for (const name of failed) console.log(`${known.has(name) ? 'fails' : 'is no spec of the program'}: ${name}`);
if (options.update) {
  const added = [...passed].filter((name) => !listed.includes(name));
  writeList(listFile, [...listed, ...added]);
  console.log(`${added.length} added`);
  process.exit(0);
}
finish(chosen.length - failed.length, failed.length);
