#!/usr/bin/env node
// Runs random HTTP/2 sessions against the session of the server, without a network: clients that do at random what
// the protocol permits, and must get all their responses; and the same with damaged bytes, which must end the
// session at most. A failed case is printed with its seed.
//
// node scripts/fuzz-http2.mjs [--seconds 60] [--seed FIRST] [--cases COUNT]
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { importBundled } from '../bench/support/bundle.mjs';
import { finish } from './support/ratchet.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    cases: { type: 'string', default: String(Number.MAX_SAFE_INTEGER) },
  },
});
/** A case takes milliseconds; one that takes this long hangs. */
const MOST_MILLISECONDS = 20_000;
const MOST_FAILURES = 5;
/** Heap that ten thousand ended sessions may leave. */
const MOST_GROWTH = 16 << 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const heap = () => {
  collect();
  return process.memoryUsage().heapUsed;
};

const { fuzzCase } = await importBundled("export * from './test/http2/fuzz/run.ts';");
let seed = Number(values.seed);
let passed = 0;
let failed = 0;
const report = (error) => {
  failed += 1;
  console.log(`seed ${seed}: ${error.stack}`);
};
process.on('uncaughtException', (error) => {
  report(error);
  finish(passed, failed);
});
process.on('unhandledRejection', (error) => {
  report(error);
  finish(passed, failed);
});
const watchdog = () =>
  setTimeout(() => {
    report(new Error('the case hangs'));
    finish(passed, failed);
  }, MOST_MILLISECONDS);

console.log(`from seed ${seed}`);
const end = performance.now() + Number(values.seconds) * 1000;
let before;
for (let count = 0; count < Number(values.cases) && performance.now() < end; count += 1) {
  const timer = watchdog();
  try {
    await fuzzCase(seed);
    passed += 1;
  } catch (error) {
    report(error);
    if (failed === MOST_FAILURES) break;
  }
  clearTimeout(timer);
  seed += 1;
  if (count === 1000) before = heap();
}
const growth = before === undefined ? 0 : heap() - before;
if (growth > MOST_GROWTH) report(new Error(`${growth} bytes of heap are kept after the sessions`));
finish(passed, failed);
