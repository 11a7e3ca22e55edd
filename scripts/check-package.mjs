#!/usr/bin/env node
// Installs the built package like a user and tests it: the command serves and stops, the library and the
// testing entry point load and work. `--offline PACKAGE` unpacks that package instead, beside the dependencies of
// this repository.
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedPackages } from './support/licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'binnacle-package-'));
const READY_MILLISECONDS = 20_000;
const STOP_MILLISECONDS = 15_000;
/** Users have TypeScript 6 or 7. */
const COMPILERS = ['typescript', 'typescript-6'];

const LIBRARY = `
import { createServer } from 'binnacle';
import { compile, declarationsOf, plan } from 'binnacle/cel';
import { startCluster } from 'binnacle/testing';
const evaluation = plan(compile('1 + 1', declarationsOf('new', { variables: new Map() }))).evaluate(new Map());
if (evaluation.value !== 2) throw new Error('1 + 1 is ' + JSON.stringify(evaluation));
const cluster = await startCluster();
const response = await cluster.fetch('/api/v1/namespaces/default');
if (response.status !== 200) throw new Error('the namespace default answers ' + response.status);
await cluster.stop();
if (typeof createServer !== 'function') throw new Error('createServer is not a function');
`;
const TYPES = `
import { createServer, type ServerOptions } from 'binnacle';
import { type Evaluation, plan, compile, declarationsOf, DYN } from 'binnacle/cel';
import { startCluster, type TestCluster } from 'binnacle/testing';
const options: ServerOptions = { securePort: 0 };
export const server = createServer(options);
export const evaluation: Evaluation = plan(compile('self', declarationsOf('new', { variables: new Map([['self', DYN]]) }))).evaluate(new Map());
export const cluster: Promise<TestCluster> = startCluster(options);
`;

const run = (command, words, options) =>
  execFileSync(command, words, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', ...options });
const within = (promise, milliseconds, what) =>
  Promise.race([
    promise,
    new Promise((_, reject) =>
      setTimeout(
        () => reject(new Error(`${what}: timed out after ${milliseconds / 1000} s`)),
        milliseconds,
      ).unref(),
    ),
  ]);

const [option, tarball] = process.argv.slice(2);

function newProject() {
  const project = join(directory, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"trial","private":true,"type":"module"}');
  return project;
}

/** Installs the package without a registry. */
function unpack() {
  const project = newProject();
  const modules = join(project, 'node_modules');
  for (const { path } of shippedPackages(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))))
    if (existsSync(join(root, path))) cpSync(join(root, path), join(project, path), { recursive: true });
  mkdirSync(join(modules, '.bin'), { recursive: true });
  run('tar', ['-xzf', tarball, '-C', directory]);
  cpSync(join(directory, 'package'), join(modules, 'binnacle'), { recursive: true });
  symlinkSync('../binnacle/dist/main.js', join(modules, '.bin/binnacle'));
  console.log(`unpacked ${tarball}`);
  return project;
}

function install() {
  const [{ filename, size, entryCount }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', `--pack-destination=${directory}`], { cwd: root }),
  );
  const project = newProject();
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(directory, filename)], {
    cwd: project,
  });
  console.log(`installed ${filename}: ${entryCount} files, ${(size / 1e6).toFixed(1)} MB`);
  return project;
}

async function serve(project) {
  const child = spawn(join(project, 'node_modules/.bin/binnacle'), ['--data-dir=data', '--secure-port=0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  try {
    const address = new Promise((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
        const found = /is ready at (\S+)/.exec(output);
        if (found !== null) resolve(found[1]);
      });
      ended.then(() => reject(new Error('the server ended instead of serving')));
    });
    const url = await within(address, READY_MILLISECONDS, 'starting');
    const status = await new Promise((resolve, reject) => {
      get(`${url}/readyz`, { rejectUnauthorized: false, agent: false }, (response) =>
        resolve(response.resume().statusCode),
      ).on('error', reject);
    });
    if (status !== 200) throw new Error(`/readyz answers ${status}`);
    try {
      console.log(
        run('kubectl', [
          '--kubeconfig',
          join(project, 'data/kubeconfig'),
          'get',
          '--raw',
          '/api/v1/namespaces/default',
        ]).slice(0, 80),
      );
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      console.log('skipped: kubectl is not installed');
    }
    child.kill('SIGTERM');
    const { code, signal } = await within(ended, STOP_MILLISECONDS, 'stopping');
    if (code !== 0) throw new Error(`stopped with ${code ?? signal}`);
  } finally {
    child.kill('SIGKILL');
  }
}

try {
  const project = option === '--offline' ? unpack() : install();
  await serve(project);
  writeFileSync(join(project, 'library.mjs'), LIBRARY);
  run(process.execPath, ['library.mjs'], { cwd: project });
  run(process.execPath, [join(project, 'node_modules/binnacle/examples/programs/embedded-server.mjs')], {
    cwd: project,
  });
  writeFileSync(join(project, 'types.ts'), TYPES);
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
  ];
  for (const compiler of COMPILERS)
    run(process.execPath, [join(root, 'node_modules', compiler, 'bin/tsc'), ...flags, 'types.ts'], {
      cwd: project,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  console.log('the package serves, stops, loads as a library and contains its types');
} finally {
  rmSync(directory, { recursive: true, force: true });
}
