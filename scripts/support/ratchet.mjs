// What the conformance and the mutation ratchet share: finding the suite and the server, running a runner,
// comparing with a list.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The directory of a recorded suite: `$VARIABLE`, else `../shared/NAME` beside the repository.
 * Without a runner in it the process says so and ends.
 */
export function findSuite(variable, name) {
  const suite = resolve(process.env[variable] ?? join(root, '../shared', name));
  if (existsSync(join(suite, 'run.mjs'))) return suite;
  console.log(`skipped: there is no ${name} suite at ${suite}`);
  process.exit(0);
}

/**
 * The command that starts the server under test: `$VARIABLE`, else the built server, which is built when it
 * is out of date.
 */
export function serverCommand(variable) {
  const given = process.env[variable];
  if (given !== undefined) return given;
  const built = spawnSync(process.execPath, ['scripts/ensure.mjs', 'build'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
  // The recorded server ran without controllers.
  return `"${process.execPath}" "${join(root, 'dist/main.js')}" --data-dir={dir}/data-{id} --controllers=-*`;
}

/** The number of runners at a time that `--jobs` asks for. */
export function parseJobs(text) {
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs takes a positive number');
  return jobs;
}

/** What the runner of a suite lists: an array of the groups that `pattern` matches in its output. */
export function listSuite(suite, filters, pattern) {
  const words = [join(suite, 'run.mjs'), '--list', ...filters];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`the suite lists nothing: ${stderr || stdout}`);
  return [...stdout.matchAll(pattern)].map(({ groups }) => ({ ...groups }));
}

let scratch;
let runs = 0;
/**
 * Runs the runner of a suite in a process of its own.
 * @param slot keeps the ports of runners that work at one time apart
 * @returns the output, and the JSON report or undefined when the runner broke off
 */
export function playSuite({ suite, command, words, slot, firstPort }) {
  if (scratch === undefined) {
    scratch = mkdtempSync(join(tmpdir(), 'binnacle-suite-'));
    process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  }
  runs += 1;
  const file = join(scratch, `${runs}.json`);
  const ports = `${firstPort + slot * 400}-${firstPort + slot * 400 + 399}`;
  const all = [join(suite, 'run.mjs'), '--exec', command, '--json', file, '--ports', ports, ...words];
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] });
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

/** Works a queue off, `jobs` at a time. */
export async function workOff(queue, jobs, work) {
  const waiting = [...queue];
  const worker = async (slot) => {
    for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift())
      await work(unit, slot, waiting.length);
  };
  await Promise.all(Array.from({ length: jobs }, (_, slot) => worker(slot)));
}

/** The lines of a list in order; none if there is no such file. Lines that begin with `#` are comments. */
export function readList(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Writes ids, sorted, under the comments that the list has already. */
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
 * Compares verdicts with what the list says. What differs from the list is played once more, so that timing
 * on a busy machine decides nothing: only what comes out the same twice counts.
 * @param passed whether an id passed
 * @param expected whether the list says that an id passes
 * @param replay plays ids again and answers another `passed`
 */
export async function compareWithList({ ids, passed, expected, replay }) {
  const surprising = ids.filter((id) => passed(id) !== expected(id));
  const again = surprising.length > 0 ? await replay(surprising) : passed;
  const steady = surprising.filter((id) => again(id) === passed(id));
  for (const id of surprising)
    if (again(id) !== passed(id)) console.log(`unsteady: ${id} passed one time and failed another`);
  return { regressed: steady.filter((id) => !passed(id)), improved: steady.filter((id) => passed(id)) };
}

/** Prints the closing line and ends the process. Where nothing was played nothing passed. */
export function finish(passed, failed) {
  if (passed === 0 && failed === 0) console.log('nothing was played');
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
