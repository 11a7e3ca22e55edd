#!/usr/bin/env node
// Runs the recorded scenarios of a reference server against the built server and compares the results with
// the list of passing scenarios (test/conformance/passing.txt). Fails if a listed scenario fails or an
// unlisted one passes, so that the list only grows.
//
// node scripts/conformance.mjs [--update] [--jobs N] [--json FILE] [--list FILE] [--verbose] [--all] [--etcd]
// [--replicas N] [--small-steps] [--kubernetes-version MINOR] [PART OF area/name …]
//
// --kubernetes-version MINOR: on a server of another minor version than 1.32, compared with what the overlay of that
// version says; the list is passing-MINOR.txt. The scenarios of test/conformance/recorded are left out.
//
// --etcd: on an etcd of its own for each parallel runner (node scripts/etcd.mjs builds it): versions and compaction
// belong to a whole etcd, and scenarios look at both. Runs the scenarios of test/conformance/etcd.txt,
// with --all every one. Those of passing.txt and passing-on-etcd.txt must pass; --update changes the latter.
// --replicas N: like --etcd, with N servers behind a balancer; each request goes to the next one. The scenarios
// of test/conformance/one-server.txt are left out.
//
// --small-steps: on a build in which every request takes the paths of large ones, which work in steps. Runs the
// scenarios of test/conformance/small-steps.txt, with --all every one that needs no etcd.
//
// To the suite belong the scenarios of test/conformance/recorded, which has its layout. How to record one:
// test/conformance/recorded/README.md.
//
// The suite is read from $BINNACLE_CONFORMANCE, else from ../shared/conformance; without a suite the run is
// skipped. $BINNACLE_CONFORMANCE_SERVER overrides the command that starts the server ({dir} is a temporary
// directory, {id} a unique word).
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { etcdPath } from './etcd.mjs';
import {
  compareWithList,
  findOverlay,
  findSuite,
  finish,
  listSuite,
  parseJobs,
  playSuite,
  readList,
  root,
  serverCommand,
  workOff,
  writeList,
} from './support/ratchet.mjs';
import { startScratchEtcd } from './support/scratch-etcd.mjs';

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean' },
    // Scenarios mostly wait: for a timeout, a stream, a server start.
    jobs: { type: 'string', default: '4' },
    json: { type: 'string' },
    list: { type: 'string' },
    verbose: { type: 'boolean' },
    all: { type: 'boolean' },
    etcd: { type: 'boolean' },
    replicas: { type: 'string', default: '1' },
    'small-steps': { type: 'boolean' },
    'kubernetes-version': { type: 'string' },
  },
});
const data = (name) => join(root, 'test/conformance', name);
const replicas = Number(options.replicas);
const onEtcd = options.etcd || replicas > 1;
const minor = options['kubernetes-version'];
const ownList = minor === undefined ? 'passing.txt' : `passing-${minor}.txt`;
const listFile = resolve(options.list ?? data(onEtcd ? 'passing-on-etcd.txt' : ownList));
const suite = findSuite('BINNACLE_CONFORMANCE', 'conformance');
const overlay = minor === undefined ? [] : ['--overlay', findOverlay(minor, 'conformance')];
const jobs = parseJobs(options.jobs);
if (onEtcd && !existsSync(etcdPath())) {
  console.log('skipped: etcd is not built: node scripts/etcd.mjs');
  process.exit(0);
}
const command = [
  ...(replicas > 1
    ? [`"${process.execPath}"`, `"${join(root, 'scripts/support/replicas.mjs')}"`, `--replicas=${replicas}`]
    : []),
  serverCommand('BINNACLE_CONFORMANCE_SERVER', { smallSteps: options['small-steps'], minor }),
].join(' ');
/** The URL of the etcd of each parallel runner. */
const etcds = [];
while (onEtcd && etcds.length < jobs) etcds.push(await startScratchEtcd());
/** The scenarios that belong to the repository. */
const recorded = minor === undefined ? ['--heldout', data('recorded')] : [];
/** Duration of slow scenarios in seconds: they start first, each in a separate runner. */
const slow = new Map(
  readList(data('slow.txt')).map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]),
);

/** Runs scenarios of one profile in a separate process and returns their results. */
async function runProfile(profile, parts, slot) {
  const { output, report } = await playSuite({
    suite,
    command: onEtcd ? `${command} --etcd-servers=${etcds[slot]} --etcd-prefix=/{id}` : command,
    words: [...overlay, ...recorded, '--profile', profile, ...parts],
    slot,
    // Connections are balanced; requests shall be.
    preloaded: replicas > 1 ? [join(root, 'scripts/support/new-connections.mjs')] : [],
  });
  if (options.verbose) process.stdout.write(output);
  return report?.results ?? brokenOff(parts, output);
}

/**
 * Returns the results of a run that ended without a report: the printed verdicts, and a failure for the
 * scenario that broke the runner. The remaining scenarios have no result yet.
 */
function brokenOff(ids, output) {
  const printed = new Map(
    [...output.matchAll(/^(ok {2}|FAIL) (\S+) \(/gm)].map(([, label, id]) => [
      id,
      label === 'FAIL' ? 'fail' : 'pass',
    ]),
  );
  const results = ids
    .filter((id) => printed.has(id))
    .map((id) => ({ id, outcome: printed.get(id), steps: [] }));
  const culprit = ids.find((id) => !printed.has(id));
  const error = `the runner aborted: ${output.trimEnd().split('\n').at(-1)}`;
  if (culprit !== undefined)
    results.push({ id: culprit, outcome: 'fail', steps: [{ name: '(end)', verdict: 'error', error }] });
  return results;
}

/**
 * Returns the runs, longest first: one for each slow scenario, and one per profile and area for the others.
 */
function runsOf(scenarios) {
  const units = new Map();
  for (const { id, profile } of scenarios) {
    const area = id.slice(0, id.indexOf('/') + 1);
    const key = slow.has(id) ? id : `${profile} ${area}`;
    const unit = units.get(key) ?? { profile, ids: [], seconds: 1 };
    unit.ids.push(id);
    unit.seconds += slow.get(id) ?? 0.5;
    units.set(key, unit);
  }
  return [...units.values()].sort((a, b) => b.seconds - a.seconds);
}

/** Runs scenarios, several runs in parallel, and returns the results by id. */
async function play(scenarios, parallel) {
  const results = new Map();
  await workOff(runsOf(scenarios), parallel, async (unit, slot, waiting) => {
    // Repeated only if a scenario aborts the runner, which runs scenarios in this order.
    for (let left = unit.ids.sort(); left.length > 0; left = left.filter((id) => !results.has(id))) {
      const wanted = new Set(left);
      for (const result of await runProfile(unit.profile, left, slot))
        if (wanted.has(result.id)) results.set(result.id, result);
      const passed = left.filter((id) => results.get(id)?.outcome === 'pass').length;
      process.stderr.write(
        `${unit.profile}: ${passed} of ${left.length} from ${left[0]} on, ${waiting} runs wait\n`,
      );
      if (left.some((id) => results.has(id))) continue;
      // The runner lacks what these scenarios need (etcd): they count as failed.
      process.stderr.write(`the runner runs none of ${left.join(', ')}\n`);
      for (const id of left) results.set(id, { id, outcome: 'not run' });
    }
  });
  return results;
}

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
  for (const [area, { passed, all }] of [...areas].sort())
    console.log(`${area.padEnd(18)} ${String(passed).padStart(3)} of ${all}`);
}

const isIn = (prefixes) => (scenario) => prefixes.some((prefix) => scenario.id.startsWith(prefix));
const needsEtcd = isIn(readList(data('only-on-etcd.txt')));
const isForEtcd = isIn(readList(data('etcd.txt')));
const isForSmallSteps = isIn(readList(data('small-steps.txt')));
const needsOneServer = replicas > 1 ? isIn(readList(data('one-server.txt'))) : () => false;
const chosen = listSuite(suite, [...recorded, ...filters], /^(?<id>\S+) {2}\[(?<profile>[^\]]+)\]/gm);
/** Whether a scenario runs that is not named by a filter. */
function isIncluded(scenario) {
  if (options['small-steps'] && !(options.all || isForSmallSteps(scenario))) return false;
  return onEtcd ? options.all || isForEtcd(scenario) : !needsEtcd(scenario);
}
const scenarios = chosen.filter(
  (scenario) => !needsOneServer(scenario) && (filters.length > 0 || isIncluded(scenario)),
);
if (scenarios.length < chosen.length)
  console.log(`${chosen.length - scenarios.length} scenarios are not run, see the lists in test/conformance`);
/** The scenarios that the list at hand adds to, and that --update must not repeat. */
const base = new Set(onEtcd ? readList(data('passing.txt')) : []);
const own = new Set(readList(listFile));
const listed = new Set([...base, ...own]);
const results = await play(scenarios, jobs);
printAreas(scenarios, results);
let second = new Map();
const { regressed, improved } = await compareWithList({
  ids: scenarios.map(({ id }) => id),
  passed: (id) => passes(results, id),
  expected: (id) => listed.has(id),
  replay: async (ids) => {
    const surprising = new Set(ids);
    second = await play(
      scenarios.filter(({ id }) => surprising.has(id)),
      options.update ? jobs : Math.min(jobs, 2),
    );
    return (id) => passes(second, id);
  },
});
if (options.json !== undefined)
  writeFileSync(
    options.json,
    `${JSON.stringify({ results: [...results.values()], second: [...second.values()] }, null, 1)}\n`,
  );
const known = new Set((onEtcd || options['small-steps'] ? chosen : scenarios).map(({ id }) => id));
const vanished = filters.length > 0 ? [] : [...own].filter((id) => !known.has(id));

if (options.update) {
  const kept = [...own].filter((id) => !regressed.includes(id) && !vanished.includes(id));
  writeList(listFile, [...kept, ...improved]);
  console.log(`${improved.length} added, ${regressed.length + vanished.length} removed`);
  process.exit(0);
}
for (const id of regressed) {
  const failures =
    second.get(id)?.steps.filter((step) => step.verdict === 'differ' || step.verdict === 'error') ?? [];
  console.log(`listed, but fails: ${id}`);
  for (const { name, error, differences } of failures.slice(0, 5))
    console.log(`    ${name}: ${error ?? JSON.stringify(differences)?.slice(0, 300)}`);
}
for (const id of improved) console.log(`passes, but is not listed: ${id} (add it with --update)`);
for (const id of vanished) console.log(`listed, but not in the suite: ${id}`);
finish(
  scenarios.filter(({ id }) => listed.has(id)).length - regressed.length,
  regressed.length + improved.length + vanished.length,
);
