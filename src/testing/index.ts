import type { ServerOptions } from '../options/options.ts';
import { startServer } from '../server.ts';
import { type InProcessFetch, inProcessFetch } from './fetch.ts';
import { TemporaryDirectory } from './temporary-directory.ts';

export type { InProcessFetch, RequestOptions } from './fetch.ts';

/** The server's options, and a receiver for its log. */
export interface ClusterOptions extends ServerOptions {
  /**
   * Receives the lines of the log, each with its line feed. Nothing is printed by default: {@link
   * TestCluster.log} keeps them.
   */
  readonly log?: (line: string) => void;
}

/** Lines of the log that are kept. */
const KEPT_LINES = 1000;

/**
 * A server for one test: everything in memory, a free port, no files but a kubeconfig when it is read. A
 * cluster that is not stopped ends with the process and does not keep it alive; its files are removed at
 * exit.
 */
export interface TestCluster {
  /** `https://127.0.0.1:port` */
  readonly url: string;
  /** Path of an administrator's kubeconfig, which is written when this is first read. */
  readonly kubeconfigFile: string;
  /** Text of that file, for `KubeConfig.loadFromString`. */
  readonly kubeconfig: string;
  /** PEM of the CA certificate that clients trust. */
  readonly trust: string;
  /** The latest 1,000 lines of the log; those that begin with `E` are errors, with `W` warnings. */
  readonly log: readonly string[];
  /** Requests of the administrator without a socket. */
  readonly fetch: InProcessFetch;
  /** Creates a namespace with a unique name, for tests that share a cluster. */
  createNamespace(prefix?: string): Promise<string>;
  /** Ends watches, stops the server and removes its files. May be called again. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a cluster in this process; `options` are those of the server and override the defaults of a test
 * (`storageBackend: 'memory'`, `securePort: 0`).
 * @throws ConfigurationError in one line
 */
export async function startCluster({ log: write, ...options }: ClusterOptions = {}): Promise<TestCluster> {
  const log: string[] = [];
  const keep = (line: string): void => {
    if (log.push(line) > KEPT_LINES) log.shift();
    write?.(line);
  };
  const files = new TemporaryDirectory();
  const data =
    options.storageBackend === 'embedded' && options.dataDir === undefined
      ? { dataDir: files.path('data') }
      : {};
  try {
    const server = await startServer(
      { storageBackend: 'memory', securePort: 0, ...data, ...options },
      { log: keep },
    );
    // A cluster that is never stopped must not keep the test's process alive.
    server.unref();
    const fetch = inProcessFetch(server.handle, clientCertificate(server.kubeconfig));
    const stop = async () => {
      await server.stop('the test is over');
      files.remove();
    };
    return {
      url: server.url,
      get kubeconfigFile() {
        return server.kubeconfigFile ?? files.write('kubeconfig', server.kubeconfig);
      },
      kubeconfig: server.kubeconfig,
      trust: server.trust,
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

/** The administrator's certificate, PEM, from a kubeconfig that the server wrote. */
function clientCertificate(kubeconfig: string): string {
  const [, base64] = /^ *client-certificate-data: (\S+)$/m.exec(kubeconfig)!;
  return Buffer.from(base64!, 'base64').toString('latin1');
}
