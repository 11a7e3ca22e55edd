import { type ClusterOptions, startCluster } from './start-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

/** Options of the cluster of which each test gets a fork, and what it begins with. */
export interface FixtureOptions extends ClusterOptions {
  /** Creates what every test begins with. It runs once; the tests wait until controllers have done their work on it. */
  readonly seed?: (cluster: TestCluster) => Promise<unknown>;
}

/** A fixture for `test.extend` of vitest: `test.extend({ cluster: clusterFixture() })`. */
// biome-ignore lint/complexity/noBannedTypes: vitest reads the pattern of the first parameter.
export type ClusterFixture = (context: {}, use: (cluster: TestCluster) => Promise<void>) => Promise<void>;

/** The context of a test, as node:test passes it. */
export interface TestContext {
  after(end: () => Promise<void>): void;
}

/**
 * Gives each test of vitest a fork of one cluster, which is started and seeded for the first of them. The server does not
 * keep the process alive.
 */
export function clusterFixture(options: FixtureOptions = {}): ClusterFixture {
  const template = seeded(options);
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern of the first parameter.
  return async ({}, use) => {
    const cluster = await (await template()).fork();
    try {
      await use(cluster);
    } finally {
      await cluster.stop();
    }
  };
}

/**
 * Gives tests of node:test, or of any runner whose context has `after`, forks of one cluster:
 * `const cluster = await useCluster(t)` with `const useCluster = clusterForTests()` beside the tests.
 */
export function clusterForTests(
  options: FixtureOptions = {},
): (context: TestContext) => Promise<TestCluster> {
  const template = seeded(options);
  return async (context) => {
    const cluster = await (await template()).fork();
    context.after(() => cluster.stop());
    return cluster;
  };
}

/** Returns a function that starts the cluster at its first call; after an error the next call tries again. */
function seeded({ seed, ...options }: FixtureOptions): () => Promise<TestCluster> {
  let started: Promise<TestCluster> | undefined;
  const start = async (): Promise<TestCluster> => {
    const cluster = await startCluster(options);
    try {
      await seed?.(cluster);
      await cluster.quiescent();
      return cluster;
    } catch (error) {
      started = undefined;
      await cluster.stop();
      throw error;
    }
  };
  return () => {
    started ??= start();
    return started;
  };
}
