import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '../config/options.ts';
import { startServer } from '../server.ts';
import { type InProcessFetch, inProcessFetch } from './fetch.ts';

export type { InProcessFetch, RequestOptions } from './fetch.ts';

/** The server's options, and what becomes of its log. */
export interface ClusterOptions extends ServerOptions {
  /** Takes the lines of the log, each with its end. Unless given, nothing is printed: {@link TestCluster.log} has them. */
  readonly log?: (line: string) => void;
}

/** Lines of the log that are kept. */
const KEPT_LINES = 1000;

/** A server for one test: everything in memory, a free port, nothing left behind. */
export interface TestCluster {
  /** `https://127.0.0.1:port` */
  readonly url: string;
  /** Path of a kubeconfig of an administrator. */
  readonly kubeconfigFile: string;
  /** Text of that file, for `KubeConfig.loadFromString`. */
  readonly kubeconfig: string;
  /** PEM of what a client has to trust. */
  readonly trust: string;
  /** The latest 1,000 lines of the log; those that begin with `E` are errors, with `W` warnings. */
  readonly log: readonly string[];
  /** Requests of the administrator without a socket. */
  readonly fetch: InProcessFetch;
  /** Makes a namespace of a name that no other call gets, for tests that share a cluster. */
  createNamespace(prefix?: string): Promise<string>;
  /** Ends watches, stops the server and removes its files. May be called again. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a cluster in this process; `options` are the server's and win over what a test gets (`storageBackend: 'memory'`, `securePort: 0`).
 * @throws ConfigurationError in one line
 */
export async function startCluster({ log: write, ...options }: ClusterOptions = {}): Promise<TestCluster> {
  const log: string[] = [];
  const keep = (line: string): void => {
    if (log.push(line) > KEPT_LINES) log.shift();
    write?.(line);
  };
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-test-'));
  const removeDirectory = () => rm(directory, { recursive: true, force: true });
  try {
    const kubeconfigFile = join(directory, 'kubeconfig');
    const server = await startServer(
      { dataDir: join(directory, 'data'), kubeconfigOut: kubeconfigFile, storageBackend: 'memory', securePort: 0, ...options },
      { log: keep },
    );
    const kubeconfig = await readFile(server.kubeconfigFile, 'utf8');
    const fetch = inProcessFetch(server.handle, clientCertificate(kubeconfig));
    const stop = async () => {
      await server.stop('the test is over');
      await removeDirectory();
    };
    return {
      url: server.url,
      kubeconfigFile: server.kubeconfigFile,
      kubeconfig,
      trust: server.trust,
      fetch,
      log,
      stop,
      createNamespace: (prefix = 'test') => createNamespace(fetch, prefix),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await removeDirectory();
    throw error;
  }
}

async function createNamespace(fetch: InProcessFetch, prefix: string): Promise<string> {
  const response = await fetch('/api/v1/namespaces', { method: 'POST', body: { metadata: { generateName: `${prefix}-` } } });
  const answer = (await response.json()) as { metadata?: { name?: string }; message?: string };
  if (response.status !== 201) throw new Error(`no namespace was made: ${answer.message}`);
  return answer.metadata!.name!;
}

/** The administrator's certificate, PEM, from a kubeconfig that the server wrote. */
function clientCertificate(kubeconfig: string): string {
  const [, base64] = /^ *client-certificate-data: (\S+)$/m.exec(kubeconfig)!;
  return Buffer.from(base64!, 'base64').toString('latin1');
}
