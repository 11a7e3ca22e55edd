#!/usr/bin/env node
// Runs suites of test harnesses in other languages on the programs that `binnacle envtest` writes. The harnesses, and
// the suites of other projects, come from the registries of their languages.
//
//   node scripts/harnesses.mjs NAME
//
// The executable of this platform writes the programs, or dist/main.js where there is none. The last line is
// `N passed, N failed`, or there is a line `skipped: …` where a toolchain is missing.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executableName, HOST } from './executables/platforms.mjs';
import { goCounts, mavenCounts, rustCounts } from './support/test-counts.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), 'binnacle-harness-'));
const assets = join(scratch, 'assets');
const { version: productVersion } = JSON.parse(readFileSync('package.json', 'utf8'));
const executable = resolve('dist/executables', executableName(productVersion, HOST));
const command = existsSync(executable) ? [executable] : [process.execPath, resolve('dist/main.js')];

/** Runs a command, shows what it prints, and returns it. The server below goes on meanwhile. */
function run(words, options = {}) {
  const child = spawn(words[0], words.slice(1), {
    ...options,
    env: { ...process.env, KUBEBUILDER_ASSETS: assets, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (options.quiet !== true) process.stdout.write(chunk);
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (status) => done({ status, output }));
  });
}

async function succeed(words, options) {
  const { status, output } = await run(words, options);
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}:\n${output}`);
  return output;
}

/** The sources of a Go module, in a folder that can be written. */
async function moduleSources(path, version) {
  const described = await succeed(['go', 'mod', 'download', '-json', `${path}@${version}`], {
    quiet: true,
    cwd: scratch,
  });
  const folder = join(scratch, basename(path));
  cpSync(JSON.parse(described).Dir, folder, { recursive: true });
  // A module has no permissions.
  spawnSync('chmod', ['-R', 'u+w', folder]);
  spawnSync('find', [folder, '-name', '*.sh', '-exec', 'chmod', 'u+x', '{}', '+']);
  return folder;
}

/** A suite of a Go module itself. @param words of `go test` */
async function goSuite({ module, version, words }) {
  const cwd = await moduleSources(module, version);
  // One package at a time: their test environments wait for each other's processors otherwise.
  const { output } = await run(['go', 'test', '-count=1', '-p=1', '-json', ...words], { cwd, quiet: true });
  return goCounts(output);
}

/** Serves the files of a folder. */
async function serveFolder(folder) {
  const server = createServer((request, response) => {
    const file = join(folder, basename(request.url));
    if (!existsSync(file)) return response.writeHead(404).end();
    createReadStream(file).pipe(response.writeHead(200));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** setup-envtest installs from an index that binnacle wrote, and a Go test runs on what it installed. */
async function setupEnvtest() {
  const [index, store] = [join(scratch, 'index'), join(scratch, 'store')];
  mkdirSync(index);
  const server = await serveFolder(index);
  const tool = ['go', 'run', 'sigs.k8s.io/controller-runtime/tools/setup-envtest@v0.25.1'];
  const flags = ['--bin-dir', store, '--index', `${server.url}envtest-releases.yaml`, '-p', 'path'];
  const counts = { passed: 0, failed: 0 };
  const check = async (what, action) => {
    try {
      await action();
      counts.passed += 1;
    } catch (error) {
      counts.failed += 1;
      console.error(`${what}: ${error.message}`);
    }
  };
  const expect = (is, wanted) => {
    if (!wanted.test(is)) throw new Error(`${is} does not match ${wanted}`);
  };
  await succeed([...command, 'envtest', '--index', index, '--url', server.url]);
  let installed = '';
  await check('installs the minor release', async () => {
    installed = await succeed([...tool, 'use', '1.32', ...flags], { cwd: scratch });
    expect(installed, /\/k8s\/1\.32\.\d+-\w+-\w+$/);
    expect(readdirSync(installed).sort().join(), /^etcd,kube-apiserver,kubectl$/);
  });
  await check('has installed programs that run', async () => {
    expect(await succeed([join(installed, 'kube-apiserver'), '--version']), /Kubernetes v1\.32\./);
    expect(await succeed([join(installed, 'etcd'), '--version']), /^etcd Version: /);
  });
  await check('finds it in the store without the index', async () => {
    expect(
      await succeed([...tool, 'use', '1.32.x!', '-i', ...flags.slice(0, 2)], { cwd: scratch }),
      /1\.32\./,
    );
  });
  await check('finds what binnacle envtest wrote', async () => {
    const words = ['use', '1.32', '--installed-only', '--bin-dir', assets, '-p', 'path'];
    expect(await succeed([...tool, ...words], { cwd: scratch }), /\/assets\/k8s\/1\.32\.\d+-\w+-\w+$/);
  });
  await check('refuses a release that is not served', async () => {
    const { status } = await run([...tool, 'use', '1.31', ...flags], { cwd: scratch });
    if (status === 0) throw new Error('1.31 was installed');
  });
  server.close();
  return counts;
}

/** A project of `test/harnesses` in a folder of its own, where its tools write. */
function project(name) {
  const folder = join(scratch, name);
  cpSync(`test/harnesses/${name}`, folder, { recursive: true });
  return folder;
}

/** Packages of controller-runtime that start test environments, or that start and stop their programs. */
const CONTROLLER_RUNTIME = [
  './pkg/envtest/...',
  './pkg/internal/testing/...',
  './pkg/client',
  './pkg/manager',
  './pkg/webhook/...',
];
const controllerRuntime = (version, ...words) => ({
  needs: ['go'],
  run: () =>
    goSuite({ module: 'sigs.k8s.io/controller-runtime', version, words: [...words, ...CONTROLLER_RUNTIME] }),
});

/** By name: the commands that it needs, and what runs it. */
const SUITES = {
  'controller-runtime-0.20': controllerRuntime('v0.20.4'),
  'controller-runtime-newest': controllerRuntime('latest'),
  'envtest-crate': {
    // The crate is a Go module behind bindings that clang reads.
    needs: ['cargo', 'go', 'clang'],
    run: async () =>
      rustCounts((await run(['cargo', 'test', '--quiet'], { cwd: project('envtest-crate') })).output),
  },
  'setup-envtest': { needs: ['go'], run: setupEnvtest },
  'kube-api-test': {
    needs: ['java', 'mvn'],
    run: async () => {
      const options = { cwd: project('kube-api-test'), env: { KUBE_API_TEST_DIR: assets } };
      return mavenCounts((await run(['mvn', '-B', '-ntp', 'test'], options)).output);
    },
  },
};

const [name] = process.argv.slice(2);
const suite = Object.hasOwn(SUITES, name ?? '') ? SUITES[name] : undefined;
if (suite === undefined) throw new Error(`name one of ${Object.keys(SUITES).join(', ')}`);
try {
  const missing = suite.needs.find((tool) => spawnSync('which', [tool], { stdio: 'ignore' }).status !== 0);
  if (missing !== undefined) console.log(`skipped: ${name} needs ${missing}`);
  else {
    console.log(`${name} on ${command.join(' ')}`);
    await succeed([...command, 'envtest', assets]);
    const { passed, failed } = await suite.run();
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
