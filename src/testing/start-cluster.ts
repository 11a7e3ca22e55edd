import { selectApiControllers } from '../controllers/selection.ts';
import { TemporaryDirectory } from '../files/temporary-directory.ts';
import { requireLog, requireObject } from '../options/given-options.ts';
import type { ServerOptions } from '../options/options.ts';
import { startClusterAt } from '../server.ts';
import { AdjustableClock } from '../time/adjustable-clock.ts';
import { processClock } from '../time/clock.ts';
import { FirstTestCluster } from './first-test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

/** Options of the server, and a receiver for its log. */
export interface ClusterOptions extends ServerOptions {
  /**
   * Receives each line of the log with its line feed. Nothing is printed by default: {@link TestCluster.log}
   * has the lines.
   */
  readonly log?: (line: string) => void;
  /** The cluster is a fork of this one, in its server. Other options cannot be given beside it. */
  readonly template?: TestCluster;
}

/** Number of log lines that are retained. */
const KEPT_LINES = 1000;

/**
 * Those that keep the API consistent. Tests of many projects play the controllers of workloads themselves: these run
 * where a test has simulated nodes, or asks for them with `controllers: ['*']`.
 */
const controllersFor = ({
  simulateNodes,
  simulationConfig,
}: ServerOptions): Pick<ServerOptions, 'controllers'> =>
  simulateNodes === undefined && simulationConfig === undefined
    ? { controllers: [...selectApiControllers(['*'])] }
    : {};

/**
 * Starts a cluster in this process; `options` are those of the server and override the defaults of a test
 * (`storageBackend: 'memory'`, `securePort: 0`, and without simulated nodes the controllers that keep the API
 * consistent, not those of workloads: `controllers: ['*']` has all). With a `template` the cluster is a fork of that
 * one, in its server and with its options.
 * @throws ConfigurationError in one line
 */
export async function startCluster(clusterOptions: ClusterOptions = {}): Promise<TestCluster> {
  requireObject(clusterOptions, 'the options of a cluster');
  const { log: write, template, ...given } = clusterOptions;
  requireLog(write);
  // An undefined option is absent: it leaves the default of a test in place.
  const options: ServerOptions = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  if (template !== undefined) {
    requireNone({ ...options, log: write });
    return template.fork();
  }
  const log: string[] = [];
  const keep = (line: string): void => {
    if (log.push(line) > KEPT_LINES) log.shift();
    write?.(line);
  };
  const files = new TemporaryDirectory('binnacle-test-');
  const data =
    options.storageBackend === 'embedded' && options.dataDir === undefined
      ? { dataDir: files.path('data') }
      : {};
  try {
    const server = await startClusterAt(
      new AdjustableClock(processClock),
      { storageBackend: 'memory', securePort: 0, ...controllersFor(options), ...data, ...options },
      { log: keep },
      { hasFaults: true },
    );
    // A cluster that is not stopped must not keep the test process alive.
    server.unref();
    return new FirstTestCluster(server, log, files);
  } catch (error) {
    files.remove();
    throw error;
  }
}

/** @throws TypeError for options beside a template, which has decided them */
function requireNone(options: object): void {
  const names = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (names.length > 0)
    throw new TypeError(
      `a cluster with a template has its options: ${names.join(', ')} cannot be given beside it`,
    );
}
