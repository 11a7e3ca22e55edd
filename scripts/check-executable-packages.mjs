#!/usr/bin/env node
// Packs the npm packages of `npm run executables -- --npm`, installs them from a registry of its own, in a network of
// its own where the system has them, and tests the command that npm has installed.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND_PACKAGE } from './executables/npm-packages.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const FOLDER = resolve('dist/executables/npm/@binnacle');
const ISOLATED = '--isolated';
const OWN = `${process.platform}-${process.arch}`;

/** Runs this script again without a network, where the system can do that. */
function isolate() {
  const words = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const isolates = spawnSync('unshare', [...words, 'true'], { stdio: 'ignore' }).status === 0;
  if (!isolates) console.log('note: unshare is not available; the network is not cut off');
  const script = [process.execPath, process.argv[1], ISOLATED];
  const [command, ...rest] = isolates ? ['unshare', ...words, ...script] : script;
  return spawnSync(command, rest, { stdio: 'inherit' }).status ?? 1;
}

/** A registry of the packed packages. Those of other platforms have a description only, which must be enough. */
async function startRegistry(directory) {
  const packages = new Map();
  for (const name of readdirSync(FOLDER)) {
    const manifest = JSON.parse(readFileSync(join(FOLDER, name, 'package.json'), 'utf8'));
    const archives = name === OWN || manifest.name === COMMAND_PACKAGE;
    const archive = archives ? pack(join(FOLDER, name), directory) : undefined;
    packages.set(manifest.name, { manifest, archive });
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url).slice(1);
    const [name, file] = path.split('/-/');
    const { manifest, archive } = packages.get(name) ?? {};
    if (manifest === undefined || (file !== undefined && archive === undefined))
      return response.writeHead(404).end('{}');
    if (file !== undefined) return response.writeHead(200).end(archive);
    const bytes = archive ?? Buffer.alloc(0);
    const dist = {
      tarball: `http://${request.headers.host}/${name}/-/package.tgz`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    };
    const { version } = manifest;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { ...manifest, dist } },
      }),
    );
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

function pack(folder, directory) {
  const [{ filename, size, unpackedSize }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', `--pack-destination=${directory}`, folder], { encoding: 'utf8' }),
  );
  console.log(`${filename}: ${(size / 1e6).toFixed(1)} MB, installed ${(unpackedSize / 1e6).toFixed(1)} MB`);
  return readFileSync(join(directory, filename));
}

/** Runs a command to its end while the registry answers. */
function run(command, words, options) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) =>
      code === 0
        ? done(output)
        : fail(new Error(`${command} ${words.join(' ')}: ${code ?? signal}\n${output}`)),
    );
  });
}

/** Starts the installed command as a server, and ends it with a signal: its status must come through. */
async function serve(command, project) {
  const child = spawn(command, ['--data-dir=data', '--secure-port=0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOME: project },
  });
  await new Promise((done, fail) => {
    child.stdout.on('data', (chunk) => chunk.includes('is ready at') && done());
    child.on('close', () => fail(new Error('the server ended instead of serving')));
  });
  child.kill('SIGTERM');
  const [code, signal] = await new Promise((done) => child.on('close', (...ending) => done(ending)));
  if (code !== 0) throw new Error(`the server stopped with ${code ?? signal}`);
}

async function check() {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-npm-'));
  const registry = await startRegistry(directory);
  try {
    const project = join(directory, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"private":true}');
    const flags = [
      `--registry=${registry.url}`,
      `--cache=${join(directory, 'cache')}`,
      '--no-audit',
      '--no-fund',
    ];
    await run('npm', ['install', ...flags, COMMAND_PACKAGE], { cwd: project });
    const installed = readdirSync(join(project, 'node_modules/@binnacle')).sort();
    if (installed.join() !== ['executable', OWN].sort().join())
      throw new Error(`npm has installed ${installed.join(', ')}`);
    const command = join(project, 'node_modules/.bin/binnacle');
    const version = await run(command, ['version'], { cwd: project });
    console.log(version.trim());
    await serve(command, project);
    rmSync(join(project, 'node_modules/@binnacle', OWN), { recursive: true });
    const { status, stderr } = spawnSync(command, ['version'], { encoding: 'utf8' });
    if (status !== 1 || !/^Error: the package @binnacle\/[^\n]+\n$/.test(stderr))
      throw new Error(`without its platform's package the command ends with ${status}: ${stderr}`);
  } finally {
    registry.close();
    rmSync(directory, { recursive: true, force: true });
  }
  console.log('the packages install from their files, serve and stop');
}

if (!existsSync(FOLDER)) {
  console.log('skipped: npm run executables -- --npm writes the packages');
  process.exit(77);
}
if (process.argv[2] === ISOLATED) await check();
else process.exit(isolate());
