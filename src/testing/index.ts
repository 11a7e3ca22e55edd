/** Binnacle in tests: clusters inside your process. */

export type { InProcessFetch, RequestOptions } from './fetch.ts';
export {
  type ClusterFixture,
  clusterFixture,
  clusterForTests,
  type FixtureOptions,
  type TestContext,
} from './fixtures.ts';
export { type ClusterOptions, startCluster } from './start-cluster.ts';
export type {
  DurationValue,
  FaultRule,
  FaultState,
  TestClock,
  TestCluster,
  TestFaults,
  TimeValue,
} from './test-cluster.ts';
