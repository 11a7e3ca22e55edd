import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Servers and kubectl run beside the tests; more workers than this only take time from each other.
    maxWorkers: 2,
    // A machine that does other things at the same time is no fault of the tests: a limit only ends what hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
