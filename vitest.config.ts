import { defineConfig } from 'vitest/config';

/** Tests of processes: the built server, kubectl, stores whose writer is killed. */
const PROCESSES = ['test/e2e/**/*.test.ts', 'test/storage/crash/*.test.ts'];
/** Tests that measure processor time, as ratios within one run. They run alone, so that others do not disturb them. */
const COSTS = ['test/**/*.cost.test.ts', 'test/hostile/costs.test.ts', 'test/hostile/large-requests.test.ts'];

export default defineConfig({
  test: {
    // Servers and kubectl run beside the tests; more workers than this only take time from each other.
    maxWorkers: 2,
    // A machine that does other things at the same time is no fault of the tests: a limit only ends what hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['test/support/patience.ts'],
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...PROCESSES, ...COSTS],
          // A worker loads the source modules once, not again for each file: half the time of a run goes without.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'e2e', include: PROCESSES } },
      { extends: true, test: { name: 'costs', include: COSTS, fileParallelism: false } },
    ],
  },
});
