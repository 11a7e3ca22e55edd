import type { AnyCluster, ClusterSet, PastPoint } from '../composition/clusters/cluster-set.ts';
import type { FurtherCluster } from '../composition/clusters/further-cluster.ts';
import { TemporaryDirectory } from '../files/temporary-directory.ts';
import { kubeconfigText } from '../kubeconfig/write-kubeconfig.ts';
import { type InProcessFetch, inProcessFetch, whileAlive } from './fetch.ts';
import type { TestClock, TestCluster, TestFaults } from './test-cluster.ts';

/** What the first cluster of a server and its forks have in common. */
export abstract class ClusterBase implements TestCluster {
  abstract readonly url: string;
  abstract readonly kubeconfigFile: string;
  abstract readonly kubeconfig: string;
  abstract readonly caBundle: string;
  abstract readonly log: readonly string[];
  abstract readonly fetch: InProcessFetch;
  protected abstract readonly cluster: AnyCluster;
  protected abstract clusters(): Promise<ClusterSet>;
  abstract stop(): Promise<void>;

  get clock(): TestClock {
    const { time } = this.cluster;
    return {
      now: () => time.now(),
      get isFrozen() {
        return time.isFrozen;
      },
      freeze: () => time.freeze(),
      run: () => time.run(),
      advance: (duration) => whileAlive(time.advance(duration)),
      set: (value) => whileAlive(time.set(value)),
    };
  }

  get faults(): TestFaults {
    return this.cluster.faults!;
  }

  async createNamespace(prefix = 'test'): Promise<string> {
    const response = await this.fetch('/api/v1/namespaces', {
      method: 'POST',
      body: { metadata: { generateName: `${prefix}-` } },
    });
    const answer = (await response.json()) as { metadata?: { name?: string }; message?: string };
    if (response.status !== 201) throw new Error(`failed to create a namespace: ${answer.message}`);
    return answer.metadata!.name!;
  }

  quiescent(): Promise<void> {
    return whileAlive(this.cluster.quiescent());
  }

  fork(): Promise<TestCluster> {
    return this.#open((clusters) => clusters.fork(this.cluster));
  }

  async at(point: number | string | Date): Promise<TestCluster> {
    const past = pastPoint(point);
    return this.#open((clusters) => clusters.at(this.cluster, past));
  }

  reset(): Promise<void> {
    return whileAlive(this.cluster.reset());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #open(open: (clusters: ClusterSet) => Promise<FurtherCluster>): Promise<TestCluster> {
    const opening = async (): Promise<TestCluster> => {
      const clusters = await this.clusters();
      return new ForkedTestCluster(clusters, await open(clusters), this);
    };
    return whileAlive(opening());
  }
}

/** A further cluster of the server of another one. */
class ForkedTestCluster extends ClusterBase {
  readonly url: string;
  readonly caBundle: string;
  readonly log: readonly string[];
  readonly fetch: InProcessFetch;
  protected readonly cluster: FurtherCluster;
  readonly #clusters: ClusterSet;
  #files: TemporaryDirectory | undefined;

  constructor(clusters: ClusterSet, cluster: FurtherCluster, parent: TestCluster) {
    super();
    this.#clusters = clusters;
    this.cluster = cluster;
    this.url = cluster.url;
    this.caBundle = parent.caBundle;
    this.log = parent.log;
    this.fetch = inProcessFetch((exchange) => cluster.handleInside(exchange), cluster);
  }

  get kubeconfig(): string {
    return kubeconfigText({
      server: this.url,
      caBundle: this.caBundle,
      client: this.cluster.certificates.admin,
    });
  }

  get kubeconfigFile(): string {
    this.#files ??= new TemporaryDirectory('binnacle-test-');
    return this.#files.write('kubeconfig', this.kubeconfig);
  }

  protected clusters(): Promise<ClusterSet> {
    return Promise.resolve(this.#clusters);
  }

  async stop(): Promise<void> {
    await this.#clusters.remove(this.cluster);
    this.#files?.remove();
  }
}

/** Digits are a resource version; other texts are times. */
function pastPoint(point: number | string | Date): PastPoint {
  if (typeof point === 'number') return { revision: point };
  if (typeof point === 'string' && /^\d{1,16}$/.test(point)) return { revision: Number(point) };
  const time = new Date(point).getTime();
  if (Number.isNaN(time))
    throw new RangeError('a past state is named by a resource version, a Date or a text of RFC 3339');
  return { time };
}
