#!/usr/bin/env node
// Makes what a release contains, and checks it: the version, the licences of third parties, the files of the package,
// and that the package works where there is no network. It does not publish anything.
//
//   npm run release:check
//
// --keep DIRECTORY leaves the package there.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licenceProblems, renderLicences, shippedPackages } from './support/licences.mjs';
import { fileProblems, leakProblems, newestRelease, registryHosts } from './support/release.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
process.chdir(root);
const kept = process.argv[2] === '--keep' ? resolve(process.argv[3]) : undefined;
const directory = kept ?? mkdtempSync(join(tmpdir(), 'binnacle-release-'));
const LICENCES = 'THIRD-PARTY-LICENSES.txt';
const MOST_PROBLEMS = 20;

const read = (path) => readFileSync(path, 'utf8');
/** Runs a command and returns its output. @throws with the output of a command that fails */
function run(command, words) {
  const { status, stdout } = spawnSync(command, words, {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed:\n${stdout.trim()}`);
  return stdout;
}
const manifest = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));

/** @throws when there are problems */
function expectNone(problems) {
  if (problems.length === 0) return;
  const rest = problems.length > MOST_PROBLEMS ? [`and ${problems.length - MOST_PROBLEMS} more`] : [];
  throw new Error([...problems.slice(0, MOST_PROBLEMS), ...rest].join('\n'));
}

function checkTree() {
  const changed = run('git', ['status', '--porcelain']).trim();
  if (changed !== '') throw new Error(`the tree has changes that are not committed:\n${changed}`);
}

function checkVersion() {
  const newest = newestRelease(read('CHANGELOG.md'));
  if (newest?.version !== manifest.version || lock.version !== manifest.version)
    throw new Error(
      `package.json has version ${manifest.version}, package-lock.json ${lock.version}, and the newest heading of CHANGELOG.md is ${newest?.version ?? 'absent'}: make them equal`,
    );
  if (newest.unreleased > 0)
    console.log(
      `note: ${newest.unreleased} entries of CHANGELOG.md are above ${newest.version}, as unreleased`,
    );
}

function checkLicences() {
  const packages = shippedPackages(lock);
  expectNone(licenceProblems(root, packages));
  const text = renderLicences(root, packages);
  const present = read(LICENCES);
  if (present === text) return console.log(`${packages.length} packages`);
  writeFileSync(LICENCES, text);
  throw new Error(`${LICENCES} was not current and is written: commit it`);
}

/** Builds with declarations (`prepack`), packs, and checks what is in the package. */
function checkPackage() {
  mkdirSync(directory, { recursive: true });
  run('npm', ['run', '--silent', 'prepack']);
  const [{ filename, files, size }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', `--pack-destination=${directory}`]),
  );
  expectNone(fileProblems(files.map(({ path }) => path)));
  const hosts = registryHosts(run('npm', ['config', 'get', 'registry']).trim(), lock);
  expectNone(
    files.flatMap(({ path }) => leakProblems(path, read(path), [`${root}/`, `${homedir()}/`, ...hosts])),
  );
  console.log(`${filename}: ${files.length} files, ${(size / 1e6).toFixed(1)} MB`);
}

/** Starts the packed package in an empty folder, in a network of its own where the system has them. */
function checkWithoutNetwork() {
  const [tarball] = readdirSync(directory).filter((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('there is no package');
  const check = [
    process.execPath,
    join(root, 'scripts/check-package.mjs'),
    '--offline',
    join(directory, tarball),
  ];
  const isolated = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const isolates = spawnSync('unshare', [...isolated, 'true'], { stdio: 'ignore' }).status === 0;
  if (!isolates)
    console.log('note: unshare is not available; nothing is installed, but the network is not cut off');
  const [command, ...words] = isolates ? ['unshare', ...isolated, ...check] : check;
  execFileSync(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });
}

const STEPS = {
  'committed tree': checkTree,
  'version and changelog': checkVersion,
  'licences of third parties': checkLicences,
  'contents of the package': checkPackage,
  'the package without a network': checkWithoutNetwork,
};

let failed = 0;
for (const [name, check] of Object.entries(STEPS)) {
  console.log(`── ${name}`);
  try {
    check();
  } catch (error) {
    failed += 1;
    console.error(`failed: ${error.message}`);
  }
}
if (kept === undefined) rmSync(directory, { recursive: true, force: true });
console.log(
  failed === 0
    ? `${manifest.name} ${manifest.version} can be released`
    : `${failed} of ${Object.keys(STEPS).length} steps failed`,
);
process.exit(failed === 0 ? 0 : 1);
