import { selectApiControllers } from '../controllers/selection.ts';
import { TemporaryDirectory } from '../files/temporary-directory.ts';
import { requireLog, requireObject } from '../options/given-options.ts';
import type { ServerOptions } from '../options/options.ts';
import { startServer } from '../server.ts';
import { type InProcessFetch, inProcessFetch } from './fetch.ts';

export type { InProcessFetch, RequestOptions } from './fetch.ts';

/** Options of the server, and a receiver for its log. */
export interface ClusterOptions extends ServerOptions {
  /**
   * Receives each line of the log with its line feed. Nothing is printed by default: {@link TestCluster.log}
   * has the lines.
   */
  readonly log?: (line: string) => void;
}

/** Number of log lines that are retained. */
const KEPT_LINES = 1000;

/**
 * A server for one test: in memory, on a free port, without files until the kubeconfig file is read. A
 * cluster that is not stopped does not keep the process alive; its files are removed at exit.
 */
export interface TestCluster {
  /** `https://127.0.0.1:port` */
  readonly url: string;
  /** Path of an administrator's kubeconfig; reading it writes the file. */
  readonly kubeconfigFile: string;
  /** Content of the kubeconfig, for `KubeConfig.loadFromString`. */
  readonly kubeconfig: string;
  /** PEM of the CA certificate. */
  readonly caBundle: string;
  /** The latest 1,000 log lines; errors begin with `E`, warnings with `W`. */
  readonly log: readonly string[];
  /** Sends requests as the administrator, without a socket. */
  readonly fetch: InProcessFetch;
  /** Creates a namespace with a unique name, for tests that share a cluster. */
  createNamespace(prefix?: string): Promise<string>;
  /** Closes watches, stops the server and removes its files. Idempotent. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

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
 * consistent, not those of workloads: `controllers: ['*']` has all).
 * @throws ConfigurationError in one line
 */
export async function startCluster(clusterOptions: ClusterOptions = {}): Promise<TestCluster> {
  requireObject(clusterOptions, 'the options of a cluster');
  const { log: write, ...given } = clusterOptions;
  requireLog(write);
  // An undefined option is absent: it leaves the default of a test in place.
  const options: ServerOptions = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
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
    const server = await startServer(
      { storageBackend: 'memory', securePort: 0, ...controllersFor(options), ...data, ...options },
      { log: keep },
    );
    // A cluster that is not stopped must not keep the test process alive.
    server.unref();
    const fetch = inProcessFetch(server.handle, clientCertificate(server.kubeconfig));
    const stop = async () => {
      await server.stop('the test has finished');
      files.remove();
    };
    return {
      url: server.url,
      get kubeconfigFile() {
        return server.kubeconfigFile ?? files.write('kubeconfig', server.kubeconfig);
      },
      kubeconfig: server.kubeconfig,
      caBundle: server.caBundle,
      fetch,
      log,
      stop,
      createNamespace: (prefix = 'test') => createNamespace(fetch, prefix),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    files.remove();
    throw error;
  }
}

async function createNamespace(fetch: InProcessFetch, prefix: string): Promise<string> {
  const response = await fetch('/api/v1/namespaces', {
    method: 'POST',
    body: { metadata: { generateName: `${prefix}-` } },
  });
  const answer = (await response.json()) as { metadata?: { name?: string }; message?: string };
  if (response.status !== 201) throw new Error(`failed to create a namespace: ${answer.message}`);
  return answer.metadata!.name!;
}

/** The administrator's certificate, PEM, from the server's kubeconfig. */
function clientCertificate(kubeconfig: string): string {
  const [, base64] = /^ *client-certificate-data: (\S+)$/m.exec(kubeconfig)!;
  return Buffer.from(base64!, 'base64').toString('latin1');
}
