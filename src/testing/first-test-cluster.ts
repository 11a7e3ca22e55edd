import type { ClusterSet } from '../composition/clusters/cluster-set.ts';
import type { FirstCluster } from '../composition/clusters/first-cluster.ts';
import type { TemporaryDirectory } from '../files/temporary-directory.ts';
import type { StartedServer } from '../server.ts';
import { ClusterBase } from './cluster-base.ts';
import { type InProcessFetch, inProcessFetch } from './fetch.ts';

/** The first cluster of a server of its own. */
export class FirstTestCluster extends ClusterBase {
  readonly url: string;
  readonly kubeconfig: string;
  readonly caBundle: string;
  readonly log: readonly string[];
  readonly fetch: InProcessFetch;
  protected readonly cluster: FirstCluster;
  readonly #server: StartedServer;
  readonly #files: TemporaryDirectory;

  constructor(server: StartedServer, log: readonly string[], files: TemporaryDirectory) {
    super();
    this.#server = server;
    this.#files = files;
    this.log = log;
    this.url = server.url;
    this.kubeconfig = server.kubeconfig;
    this.caBundle = server.caBundle;
    this.cluster = server.first();
    this.fetch = inProcessFetch(server.handle, clientCertificate(server.kubeconfig));
  }

  get kubeconfigFile(): string {
    return this.#server.kubeconfigFile ?? this.#files.write('kubeconfig', this.kubeconfig);
  }

  protected clusters(): Promise<ClusterSet> {
    return this.#server.openClusters();
  }

  async stop(): Promise<void> {
    await this.#server.stop('the test has finished');
    this.#files.remove();
  }
}

/** The administrator's certificate, PEM, from the server's kubeconfig. */
function clientCertificate(kubeconfig: string): string {
  const [, base64] = /^ *client-certificate-data: (\S+)$/m.exec(kubeconfig)!;
  return Buffer.from(base64!, 'base64').toString('latin1');
}
