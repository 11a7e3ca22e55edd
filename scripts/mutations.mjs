#!/usr/bin/env node
// Runs the recorded mutations of built-in objects against the built server and compares the results with the
// list of failing cases (test/mutations/failing.txt). Fails if an unlisted case fails or a listed one passes,
// so that the list only shrinks.
//
// node scripts/mutations.mjs [--update] [--jobs N] [--json FILE] [--list FILE] [--verbose]
// [--kubernetes-version MINOR] [PART OF group.version.kind …]
//
// --kubernetes-version MINOR: on a server of another minor version than 1.32, compared with what the overlay of that
// version says; the list is failing-MINOR.txt.
//
// The suite is read from $BINNACLE_MUTATIONS, else from ../shared/mutations; without a suite the run is
// skipped. $BINNACLE_MUTATIONS_SERVER overrides the command that starts the server ({dir} is a temporary
// directory, {id} a unique word).
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
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

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean' },
    jobs: { type: 'string', default: '2' },
    json: { type: 'string' },
    list: { type: 'string' },
    'kubernetes-version': { type: 'string' },
    verbose: { type: 'boolean' },
  },
});
const minor = options['kubernetes-version'];
const ownList = minor === undefined ? 'failing.txt' : `failing-${minor}.txt`;
const listFile = resolve(options.list ?? join(root, 'test/mutations', ownList));
const suite = findSuite('BINNACLE_MUTATIONS', 'mutations');
const overlay = minor === undefined ? [] : ['--overlay', findOverlay(minor, 'mutations.json')];
const jobs = parseJobs(options.jobs);
const command = serverCommand('BINNACLE_MUTATIONS_SERVER', { minor });

/** Returns the value with object members in alphabetical order. */
const ordered = (value) => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, ordered(value[key])]),
  );
};

/**
 * Returns a stable id: kind, category and base, a one-line summary of the change, and a digest of the whole
 * request.
 */
function caseId({ kind, case: { answer: _, ...request } }) {
  const digest = createHash('sha256')
    .update(JSON.stringify(ordered(request)))
    .digest('hex')
    .slice(0, 10);
  const verb = request.sub === undefined ? request.do : `${request.do}/${request.sub}`;
  const place =
    request.edits?.[0]?.[0] ??
    request.query ??
    (Array.isArray(request.patch) ? request.patch[0]?.path : undefined);
  const words = [
    kind,
    verb,
    request.base,
    typeof place === 'string' ? place.slice(0, 80) : undefined,
    digest,
  ];
  return words
    .filter((word) => word !== undefined)
    .join(' ')
    .replace(/\s+/g, ' ');
}

/** Groups kinds with those that the runner selects together, because it matches names as substrings. */
function runsOf(kinds) {
  const left = new Set(kinds.map(({ id }) => id));
  const units = [];
  // The shortest names match the most kinds.
  for (const { id } of [...kinds].sort((a, b) => a.id.length - b.id.length)) {
    if (!left.has(id)) continue;
    const members = kinds.filter((kind) => kind.id.toLowerCase().includes(id.toLowerCase()));
    for (const member of members) left.delete(member.id);
    units.push({
      filter: id,
      members,
      cases: members.reduce((sum, member) => sum + Number(member.cases), 0),
    });
  }
  return units.sort((a, b) => b.cases - a.cases);
}

/** Runs kinds, several runs in parallel; returns the failures by id and the number of cases per kind. */
async function play(kinds, parallel) {
  const failed = new Map();
  const played = new Map();
  const broken = new Map();
  await workOff(runsOf(kinds), parallel, async ({ filter, members }, slot) => {
    const { output, report } = await playSuite({
      suite,
      command,
      words: [...overlay, '--groups', options.verbose ? '40' : '0', filter],
      slot,
    });
    if (options.verbose) process.stdout.write(output);
    const counts = new Map(
      [...output.matchAll(/^(?:ok {2}|FAIL) (\S+) \((\d+) cases, (\d+) failed\)/gm)].map(([, id, all]) => [
        id,
        Number(all),
      ]),
    );
    const leftOut = new Set([...output.matchAll(/^out {2}(\S+)/gm)].map(([, id]) => id));
    for (const { id } of members) {
      if (leftOut.has(id)) continue;
      if (report !== undefined && counts.get(id) > 0) played.set(id, counts.get(id));
      else broken.set(id, output.trimEnd().split('\n').at(-1));
    }
    for (const result of report?.results ?? []) failed.set(caseId(result), result);
  });
  return { failed, played, broken };
}

const kinds = listSuite(suite, filters, /^(?<id>\S+) {2}\[[^\]]+\] {2}(?<cases>\d+) cases/gm);
const chosen = new Set(kinds.map(({ id }) => id));
const kindOf = (id) => id.slice(0, id.indexOf(' '));
const listed = new Set(readList(listFile));
const first = await play(kinds, jobs);
// A listed case of a kind that was run and did not fail passes now, or is no longer in the suite.
const ids = [
  ...new Set([...first.failed.keys(), ...[...listed].filter((id) => first.played.has(kindOf(id)))]),
];
const { regressed, improved } = await compareWithList({
  ids,
  passed: (id) => !first.failed.has(id),
  expected: (id) => !listed.has(id),
  replay: async (surprising) => {
    const again = new Set(surprising.map(kindOf));
    const second = await play(
      kinds.filter(({ id }) => again.has(id)),
      jobs,
    );
    return (id) => !second.failed.has(id);
  },
});
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ failed: [...first.failed.values()] }, null, 1)}\n`);
const vanished = filters.length > 0 ? [] : [...listed].filter((id) => !chosen.has(kindOf(id)));
const total = [...first.played.values()].reduce((sum, cases) => sum + cases, 0);

for (const kind of [...first.played.keys()].sort()) {
  const bad = [...first.failed.keys()].filter((id) => kindOf(id) === kind).length;
  if (bad > 0)
    console.log(
      `${kind.padEnd(72)} ${String(first.played.get(kind) - bad).padStart(5)} of ${first.played.get(kind)}`,
    );
}
for (const [kind, why] of first.broken) console.log(`not run: ${kind}: ${why}`);
if (options.update) {
  const gone = new Set([...improved, ...vanished]);
  writeList(listFile, [...[...listed].filter((id) => !gone.has(id)), ...regressed]);
  console.log(
    `${total} cases of ${first.played.size} kinds: ${regressed.length} added, ${gone.size} removed`,
  );
  process.exit(first.broken.size > 0 ? 1 : 0);
}
for (const id of regressed)
  console.log(`fails, but is not listed: ${id}\n    ${describeFailure(first.failed.get(id))}`);
for (const id of improved) console.log(`listed, but passes: ${id} (remove it with --update)`);
for (const id of vanished) console.log(`listed, but not in the suite: ${id}`);
finish(total - first.failed.size, regressed.length + improved.length + vanished.length + first.broken.size);

/** The first difference of a failed case, in one line. */
function describeFailure({ error, refusedBase, differences }) {
  return (error ?? (refusedBase ? 'the base object is rejected' : JSON.stringify(differences?.[0]))).slice(
    0,
    400,
  );
}
