#!/usr/bin/env node
// Measures the built server in a separate process: `npm run bench`, or `npm run bench -- get list` for some
// parts. A name also runs the parts that begin with it (`cold`: a new process for each row), and `controllers`,
// `fields`, `nodes` and `cold` run only by their names. CPU is that of the server
// process as reported by the kernel, per operation. Figures are medians of several rounds, with minimum and maximum.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const PARTS = [
  'start',
  'start-contract',
  'cold-start',
  'cold-documents',
  'cold-writes',
  'cold-reads',
  'cold-lists',
  'cold-watches',
  'clusters',
  'get',
  'list',
  'selected',
  'write',
  'patch',
  'watch',
  'documents',
  'memory',
  'controllers',
  'simulation',
  'nodes',
  'workloads',
  'stalled',
  'hostile',
  'encodings',
  'hostile-refusals',
  'storm',
  'burst',
  'cel',
  'structural',
  'definitions',
  'admission',
  'webhooks',
  'etcd',
  'http2',
  'fields',
];
/** Parts that take too long to run with the others. */
const ON_REQUEST = ['controllers', 'fields', 'nodes', ...PARTS.filter((part) => part.startsWith('cold-'))];
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'no-build': { type: 'boolean' } },
});
const isNamed = (part, name) => part === name || part.startsWith(`${name}-`);
const unknown = positionals.filter((name) => !PARTS.some((part) => isNamed(part, name)));
if (unknown.length > 0) {
  console.error(`unknown part ${unknown.join(', ')}; available parts: ${PARTS.join(', ')}`);
  process.exit(2);
}
if (!values['no-build']) {
  const { status } = spawnSync(process.execPath, ['scripts/ensure.mjs', 'build'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

const short = (figure) =>
  figure >= 100 ? Math.round(figure).toLocaleString('en-US') : figure.toPrecision(3);
const line = (name, figure, unit, spread, budget) =>
  console.log(
    `${name.padEnd(42)}${figure.padStart(9)} ${unit.padEnd(9)}${spread.padStart(20)}${budget.padStart(16)}`,
  );
let over = 0;
const table = {
  /** Prints a figure; `budget` is its maximum. */
  row(name, { value, least, most }, unit, budget) {
    const exceeded = budget !== undefined && value > budget;
    if (exceeded) over += 1;
    line(
      name,
      short(value),
      unit,
      least === undefined ? '' : `${short(least)} – ${short(most)}`,
      budget === undefined ? '' : `${exceeded ? 'over ' : 'within '}${budget}`,
    );
  },
  note(name, text) {
    line(name, '', text, '', '');
  },
};

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`);
line('', 'median', '', 'min – max', 'budget');
const isWanted = (part) =>
  positionals.length === 0 ? !ON_REQUEST.includes(part) : positionals.some((name) => isNamed(part, name));
for (const part of PARTS.filter(isWanted)) {
  const { default: run } = await import(`./parts/${part}.mjs`);
  await run(table);
}
console.log(`\n${over} over budget`);
