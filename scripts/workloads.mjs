#!/usr/bin/env node
// Plays the recorded scenarios of a whole cluster (API server, controllers, scheduler, nodes) on the built server with
// simulated nodes, and compares the results with the list of passing scenarios (test/workloads/passing.txt). Fails if
// a listed scenario fails or an unlisted one passes, so that the list only grows.
//
// node scripts/workloads.mjs [--update] [--jobs N] [--slow F] [--json FILE] [--list FILE] [--verbose] [--all]
// [--managers DIR] [PART OF area/name …]
//
// --all: every scenario of the suite. Default: those of test/workloads/every-change.txt, one of each area.
// --jobs N: clusters at the same time; each plays the scenarios of one profile, several of them side by side.
// --slow F: all limits of the scenarios, times F.
// --managers DIR: the controllers and the scheduler of the server stand down for the kube-controller-manager and the
// kube-scheduler of this directory.
//
// The suite is read from $BINNACLE_WORKLOADS, else from ../shared/workloads; without a suite the run is skipped.
// $BINNACLE_WORKLOADS_SERVER overrides the command that starts the cluster ({dir} is a temporary directory, {cluster} a
// file with the settings of its parts).
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  compareWithList,
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

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean' },
    jobs: { type: 'string', default: '1' },
    slow: { type: 'string', default: '1' },
    json: { type: 'string' },
    list: { type: 'string', default: join(root, 'test/workloads/passing.txt') },
    verbose: { type: 'boolean' },
    all: { type: 'boolean' },
    managers: { type: 'string' },
  },
});
const listFile = resolve(options.list);
const suite = findSuite('BINNACLE_WORKLOADS', 'workloads');
const jobs = parseJobs(options.jobs);
const command = stackCommand();

/** The command of the suite that starts the built server with the settings of a profile as flags. */
function stackCommand() {
  const variable = 'BINNACLE_WORKLOADS_SERVER';
  const given = process.env[variable];
  if (given !== undefined) return given;
  serverCommand(variable);
  const { managers } = options;
  const stack =
    managers === undefined
      ? `"${join(suite, 'stacks/binnacle.mjs')}"`
      : `"${join(root, 'scripts/support/managers-stack.mjs')}" --managers "${resolve(managers)}"`;
  return `"${process.execPath}" ${stack} --exec "node ${join(root, 'dist/main.js')}" --dir {dir} --cluster {cluster}`;
}

function groups(scenarios, keyOf) {
  const found = new Map();
  for (const scenario of scenarios) {
    const key = keyOf(scenario);
    if (found.has(key)) found.get(key).push(scenario);
    else found.set(key, [scenario]);
  }
  return found;
}

/** Plays scenarios, one cluster for each profile; returns the results by id. */
async function play(scenarios) {
  const results = new Map();
  await workOff(
    groups(scenarios, ({ profile }) => profile),
    jobs,
    async ([profile, members], slot) => {
      const ids = new Set(members.map(({ id }) => id));
      const words = ['--profile', profile, '--slow', options.slow, ...ids];
      const { output, report } = await playSuite({ suite, command, words, slot });
      if (options.verbose || report === undefined) process.stdout.write(output);
      for (const result of report?.results ?? []) if (ids.has(result.id)) results.set(result.id, result);
    },
  );
  return results;
}

const passes = (results, id) => results.get(id)?.outcome === 'pass';

const known = listSuite(suite, filters, /^(?<id>\S+) {2}\[(?<profile>[^\]]+)\]/gm);
const ofEveryChange = new Set(readList(join(root, 'test/workloads/every-change.txt')));
const chosen = known.filter(({ id }) => options.all || filters.length > 0 || ofEveryChange.has(id));
const listed = new Set(readList(listFile));
const results = await play(chosen);
let second = results;
const { regressed, improved } = await compareWithList({
  ids: chosen.map(({ id }) => id),
  passed: (id) => passes(results, id),
  expected: (id) => listed.has(id),
  replay: async (ids) => {
    const surprising = new Set(ids);
    second = await play(chosen.filter(({ id }) => surprising.has(id)));
    return (id) => passes(second, id);
  },
});
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ results: [...results.values()] }, null, 1)}\n`);
const ids = new Set(known.map(({ id }) => id));
const vanished = filters.length > 0 ? [] : [...listed].filter((id) => !ids.has(id));

for (const [area, members] of groups(chosen, ({ id }) => id.slice(0, id.indexOf('/'))))
  console.log(
    `${area.padEnd(24)} ${String(members.filter(({ id }) => passes(results, id)).length).padStart(3)} of ${members.length}`,
  );
if (options.update) {
  const kept = [...listed].filter((id) => !regressed.includes(id) && !vanished.includes(id));
  writeList(listFile, [...kept, ...improved]);
  console.log(`${improved.length} added, ${regressed.length + vanished.length} removed`);
  process.exit(0);
}
for (const id of regressed) {
  const { error, differences = [] } = second.get(id) ?? { error: 'it was not played' };
  console.log(`listed, but fails: ${id}`);
  if (error !== undefined) console.log(`    ${error.slice(0, 400)}`);
  for (const { path, golden, actual } of differences.slice(0, 5))
    console.log(`    ${path}: ${JSON.stringify({ golden, actual }).slice(0, 400)}`);
}
for (const id of improved) console.log(`passes, but is not listed: ${id} (add it with --update)`);
for (const id of vanished) console.log(`listed, but not in the suite: ${id}`);
finish(
  chosen.filter(({ id }) => listed.has(id)).length - regressed.length,
  regressed.length + improved.length + vanished.length,
);
