#!/usr/bin/env node
// Plays the recorded scenarios of a reference server against the built server and compares with what is known to pass (test/conformance/passing.txt):
// fails when a listed scenario fails or an unlisted one passes, so that the list only grows.
//
//   node scripts/conformance.mjs [--update] [--jobs N] [--json FILE] [--list FILE] [--verbose] [--all] [PART OF area/name …]
//
// The suite is looked for in $BINNACLE_CONFORMANCE, else in ../shared/conformance; without one the run is skipped.
// $BINNACLE_CONFORMANCE_SERVER is another command that starts the server ({dir} is a directory of its own, {id} a word of its own).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const suite = resolve(process.env.BINNACLE_CONFORMANCE ?? join(root, '../shared/conformance'));
const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean' },
    jobs: { type: 'string', default: '3' },
    json: { type: 'string' },
    list: { type: 'string', default: join(root, 'test/conformance/passing.txt') },
    verbose: { type: 'boolean' },
    all: { type: 'boolean' },
  },
});
const listFile = resolve(options.list);
if (!existsSync(join(suite, 'run.mjs'))) {
  console.log(`skipped: there is no conformance suite at ${suite}`);
  process.exit(0);
}
const jobs = Number(options.jobs);
if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs takes a positive number');
let command = process.env.BINNACLE_CONFORMANCE_SERVER;
if (command === undefined) {
  const built = spawnSync(process.execPath, ['scripts/ensure.mjs', 'build'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
  // The recorded server ran without controllers.
  command = `"${process.execPath}" "${join(root, 'dist/main.js')}" --data-dir={dir}/data-{id} --controllers=-*`;
}
const temporary = mkdtempSync(join(tmpdir(), 'binnacle-conformance-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

/** Every scenario that the filters choose, as `{ id, profile }`. */
function listScenarios() {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(suite, 'run.mjs'), '--list', ...filters], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the suite lists nothing: ${stderr || stdout}`);
  return [...stdout.matchAll(/^(\S+) {2}\[([^\]]+)\]/gm)].map(([, id, profile]) => ({ id, profile }));
}

let runs = 0;
/** Runs scenarios of one profile in a process of its own, and answers the verdict of each by id. */
function runProfile(profile, parts, slot) {
  runs += 1;
  const file = join(temporary, `${runs}.json`);
  // Ports of their own keep servers that start at one time from taking each other's.
  const ports = `${21000 + slot * 400}-${21399 + slot * 400}`;
  const words = [join(suite, 'run.mjs'), '--exec', command, '--profile', profile, '--json', file, '--ports', ports, ...parts];
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.on('error', fail);
    child.on('close', () => {
      if (!existsSync(file)) return done(brokenOff(parts, output));
      if (options.verbose) process.stdout.write(output);
      done(JSON.parse(readFileSync(file, 'utf8')).results);
    });
  });
}

/** What can be told of a run that ended without a report: the verdicts printed, and that the scenario after them broke it. The others have none yet. */
function brokenOff(ids, output) {
  const printed = new Map([...output.matchAll(/^(ok {2}|FAIL) (\S+) \(/gm)].map(([, label, id]) => [id, label === 'FAIL' ? 'fail' : 'pass']));
  const results = ids.filter((id) => printed.has(id)).map((id) => ({ id, outcome: printed.get(id), steps: [] }));
  const culprit = ids.find((id) => !printed.has(id));
  const error = `the runner broke off: ${output.trimEnd().split('\n').at(-1)}`;
  if (culprit !== undefined) results.push({ id: culprit, outcome: 'fail', steps: [{ name: '(end)', verdict: 'error', error }] });
  return results;
}

/** Runs scenarios, several processes at a time, largest first, and answers the results by id. */
async function play(scenarios, parallel) {
  const units = new Map();
  for (const { id, profile } of scenarios) {
    const area = id.slice(0, id.indexOf('/') + 1);
    const unit = units.get(`${profile} ${area}`) ?? { profile, ids: [] };
    unit.ids.push(id);
    units.set(`${profile} ${area}`, unit);
  }
  const queue = [...units.values()].sort((a, b) => b.ids.length - a.ids.length);
  const results = new Map();
  const worker = async (slot) => {
    for (let unit = queue.shift(); unit !== undefined; unit = queue.shift()) {
      // More than one run only where a scenario makes the runner break off; the runner plays them in this order.
      for (let left = unit.ids.sort(); left.length > 0; left = left.filter((id) => !results.has(id))) {
        const wanted = new Set(left);
        for (const result of await runProfile(unit.profile, left, slot)) if (wanted.has(result.id)) results.set(result.id, result);
        const passed = left.filter((id) => results.get(id)?.outcome === 'pass').length;
        process.stderr.write(`${unit.profile}: ${passed} of ${left.length} from ${left[0]} on, ${queue.length} runs wait\n`);
        if (!left.some((id) => results.has(id))) throw new Error(`the runner plays none of ${left.join(', ')}`);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, (_, slot) => worker(slot)));
  return results;
}

const readLines = (file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
const readList = () => readLines(listFile);
const passes = (results, id) => results.get(id)?.outcome === 'pass';

function printAreas(scenarios, results) {
  const areas = new Map();
  for (const { id } of scenarios) {
    const area = id.slice(0, id.indexOf('/'));
    const counts = areas.get(area) ?? { passed: 0, all: 0 };
    counts.all += 1;
    if (passes(results, id)) counts.passed += 1;
    areas.set(area, counts);
  }
  for (const [area, { passed, all }] of [...areas].sort()) console.log(`${area.padEnd(18)} ${String(passed).padStart(3)} of ${all}`);
}

const waiting = readLines(join(root, 'test/conformance/waiting.txt')).filter((line) => !line.startsWith('#'));
const chosen = listScenarios();
const scenarios = options.all || filters.length > 0 ? chosen : chosen.filter(({ id }) => !waiting.some((prefix) => id.startsWith(prefix)));
if (scenarios.length < chosen.length) console.log(`${chosen.length - scenarios.length} scenarios are not played: test/conformance/waiting.txt says why`);
const results = await play(scenarios, jobs);
const listed = new Set(readList());
// Whatever would change the list is looked at twice: once more, one at a time, so that timing on a busy machine decides nothing.
const surprising = scenarios.filter(({ id }) => passes(results, id) !== listed.has(id));
const second = surprising.length > 0 ? await play(surprising, options.update ? jobs : 1) : new Map();
printAreas(scenarios, results);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ results: [...results.values()], second: [...second.values()] }, null, 1)}\n`);

const verdict = ({ id }) => {
  if (!second.has(id)) return { id, passed: passes(results, id), steady: true };
  return { id, passed: passes(second, id), steady: passes(results, id) === passes(second, id) };
};
const verdicts = scenarios.map(verdict);
for (const { id } of verdicts.filter(({ steady }) => !steady)) console.log(`unsteady: ${id} passed one time and failed another`);
const regressed = verdicts.filter(({ id, passed, steady }) => listed.has(id) && !passed && steady).map(({ id }) => id);
const improved = verdicts.filter(({ id, passed, steady }) => !listed.has(id) && passed && steady).map(({ id }) => id);
const known = new Set(scenarios.map(({ id }) => id));
const vanished = filters.length > 0 ? [] : [...listed].filter((id) => !known.has(id));

if (options.update) {
  const kept = [...listed].filter((id) => !regressed.includes(id) && !vanished.includes(id));
  mkdirSync(dirname(listFile), { recursive: true });
  writeFileSync(listFile, `${[...kept, ...improved].sort().join('\n')}\n`);
  console.log(`${improved.length} added, ${regressed.length + vanished.length} removed`);
  process.exit(0);
}
for (const id of regressed) {
  const faults = second.get(id)?.steps.filter((step) => step.verdict === 'differ' || step.verdict === 'error') ?? [];
  console.log(`listed, but fails: ${id}`);
  for (const { name, error, differences } of faults.slice(0, 5)) console.log(`    ${name}: ${error ?? JSON.stringify(differences)?.slice(0, 300)}`);
}
for (const id of improved) console.log(`passes, but is not listed: ${id} (add it with --update)`);
for (const id of vanished) console.log(`listed, but not in the suite: ${id}`);
const failed = regressed.length + improved.length + vanished.length;
console.log(`${verdicts.filter(({ id }) => listed.has(id)).length - regressed.length} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
