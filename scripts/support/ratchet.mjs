// Shared code of the conformance and mutation ratchets: finds the suite and the server, runs a runner,
// compares results with a list.
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { reservePorts } from './ports.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the directory of a recorded suite: `$VARIABLE`, else `../shared/NAME` beside the repository. Exits
 * with a message if it contains no runner.
 */
export function findSuite(variable, name) {
  const suite = resolve(process.env[variable] ?? join(root, '../shared', name));
  if (existsSync(join(suite, 'run.mjs'))) return suite;
  console.log(`skipped: no ${name} suite at ${suite}`);
  process.exit(0);
}

/**
 * Returns the file or directory of `overlays/MINOR` that says what another minor version answers differently:
 * in `$BINNACLE_VERSIONS`, else in `../shared/versions` beside the repository, else the compressed one of
 * `test/fixtures/overlays`. Exits with a message if there is none.
 */
export function findOverlay(minor, name) {
  const versions = process.env['BINNACLE_VERSIONS'] ?? join(root, '../shared/versions');
  const overlay = resolve(versions, 'overlays', minor, name);
  if (existsSync(overlay)) return overlay;
  const kept = join(root, 'test/fixtures/overlays', minor, `${name}.gz`);
  if (existsSync(kept)) return unpacked(kept, name);
  console.log(`skipped: no overlay of ${minor} at ${overlay}`);
  process.exit(0);
}

/** Returns the path of a decompressed copy, which is removed when this process exits. */
function unpacked(file, name) {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-overlay-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const copy = join(directory, name);
  writeFileSync(copy, gunzipSync(readFileSync(file)));
  return copy;
}

/**
 * Returns the command that starts the server under test: `$VARIABLE`, else the built server, after rebuilding
 * outdated output.
 * @param smallSteps whether to build and start the server that works in small steps
 * @param minor the minor version that it serves; default: the one that it serves without a flag
 */
export function serverCommand(variable, { smallSteps = false, minor } = {}) {
  const version = minor === undefined ? '' : ` --kubernetes-version=${minor}`;
  const given = process.env[variable];
  if (given !== undefined) return `${given}${version}`;
  const words = smallSteps ? ['scripts/build.mjs', '--small-steps'] : ['scripts/ensure.mjs', 'build'];
  const built = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
  if (smallSteps) process.env.BINNACLE_STEP_SIZE = '4';
  const main = join(root, smallSteps ? 'dist-small-steps' : 'dist', 'main.js');
  // The recorded server ran without controllers.
  return `"${process.execPath}" "${main}" --data-dir={dir}/data-{id} --controllers=-*${version}`;
}

/** Parses `--jobs`, the number of parallel runners. */
export function parseJobs(text) {
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs must be a positive integer');
  return jobs;
}

/** Lists a suite: returns the groups that `pattern` matches in the output of its runner with these words. */
export function listSuite(suite, options, pattern) {
  const words = [join(suite, 'run.mjs'), '--list', ...options];
  // Into a file: a process that exits before a reader has emptied its pipe loses the rest of its output.
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-cases-'));
  try {
    const file = join(directory, 'list.txt');
    const output = openSync(file, 'w');
    const { stderr, status } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      stdio: ['ignore', output, 'pipe'],
    });
    closeSync(output);
    const stdout = readFileSync(file, 'utf8');
    if (status !== 0) throw new Error(`the runner lists no cases: ${stderr || stdout}`);
    return [...stdout.matchAll(pattern)].map(({ groups }) => ({ ...groups }));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

let scratch;
let runs = 0;
/** The ports of the parallel runners. */
const ranges = [];
/**
 * Runs the runner of a suite in a separate process.
 * @param slot which of the parallel runners; each has ports of its own
 * @param preloaded modules that Node.js loads before the runner
 * @returns the output, and the JSON report or undefined if the runner aborted
 */
export async function playSuite({ suite, command, words, slot, preloaded = [] }) {
  if (scratch === undefined) {
    scratch = mkdtempSync(join(tmpdir(), 'binnacle-suite-'));
    process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  }
  runs += 1;
  const file = join(scratch, `${runs}.json`);
  ranges[slot] ??= reservePorts();
  const ports = await ranges[slot];
  const imports = preloaded.map((module) => `--import=${module}`);
  const run = [join(suite, 'run.mjs'), '--exec', command, '--json', file, '--ports', ports, ...words];
  return await new Promise((done, fail) => {
    const child = spawn(process.execPath, [...imports, ...run], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.on('error', fail);
    child.on('close', () =>
      done({ output, report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined }),
    );
  });
}

/** Processes a queue with `jobs` parallel workers. */
export async function workOff(queue, jobs, work) {
  const waiting = [...queue];
  const worker = async (slot) => {
    for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift())
      await work(unit, slot, waiting.length);
  };
  await Promise.all(Array.from({ length: jobs }, (_, slot) => worker(slot)));
}

/** Returns the lines of a list; empty if the file does not exist. Lines that begin with `#` are comments. */
export function readList(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Writes sorted ids and keeps the comments at the top of the list. */
export function writeList(file, ids) {
  const comments = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('#'))
    : [];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, [...comments, ...[...ids].sort(), ''].join('\n'));
}

/**
 * Compares results with the list. Differences are run a second time; only a result that occurs twice counts,
 * so that timing on a busy machine does not matter.
 * @param passed whether an id passed
 * @param expected whether the list expects an id to pass
 * @param replay runs ids again and returns another `passed`
 */
export async function compareWithList({ ids, passed, expected, replay }) {
  const surprising = ids.filter((id) => passed(id) !== expected(id));
  const again = surprising.length > 0 ? await replay(surprising) : passed;
  const steady = surprising.filter((id) => again(id) === passed(id));
  for (const id of surprising)
    if (again(id) !== passed(id)) console.log(`flaky: ${id} passed once and failed once`);
  return { regressed: steady.filter((id) => !passed(id)), improved: steady.filter((id) => passed(id)) };
}

/** Prints the last line and exits. A run without cases is a failure. */
export function finish(passed, failed) {
  if (passed === 0 && failed === 0) console.log('nothing was run');
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
