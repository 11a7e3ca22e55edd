import { defineConfig } from 'vitest/config';

/** Tests that start processes: the built server, kubectl, stores whose writer is killed. */
const PROCESSES = ['test/e2e/**/*.test.ts', 'test/storage/crash/*.test.ts'];
/** Tests that run clients, operators and packages of other projects, which most machines do not have. */
const CLIENTS = ['test/e2e/{http2-clients,tools-custom-resources,published-definitions,wrappers}.test.ts'];
/** Tests that compare processor times within one run. They run alone, so that other tests do not interfere. */
const COSTS = ['test/**/*.cost.test.ts', 'test/hostile/costs.test.ts', 'test/hostile/large-requests.test.ts'];

/** Tests that read the executables of all platforms, which most machines have not written. */
const EXECUTABLES = ['test/executable/executables.test.ts', 'test/**/*.executable.test.ts'];

/** Tests that run etcd. */
const ETCD = ['test/**/*.etcd.test.ts'];

export default defineConfig({
  test: {
    // Tests also start servers and kubectl; more workers would only compete for the processors.
    maxWorkers: 2,
    // Generous limits: they only end tests that hang, not tests on a busy machine.
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
          exclude: [...PROCESSES, ...COSTS, ...ETCD, ...EXECUTABLES],
          // A worker loads the source modules once instead of once per file, which halves the time of a run.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'e2e', include: PROCESSES, exclude: [...CLIENTS, ...ETCD] } },
      { extends: true, test: { name: 'clients', include: CLIENTS } },
      { extends: true, test: { name: 'executables', include: EXECUTABLES } },
      { extends: true, test: { name: 'etcd', include: ETCD } },
      { extends: true, test: { name: 'costs', include: COSTS, fileParallelism: false } },
    ],
  },
});
