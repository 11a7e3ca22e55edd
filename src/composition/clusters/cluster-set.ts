import { once } from '../../collections/once.ts';
import type { Exchange } from '../../connection/exchange.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { loadRelease } from '../../options/kubernetes-version.ts';
import type { ServerOptions } from '../../options/options.ts';
import { errors } from '../../status/index.ts';
import { ByteBudget } from '../../storage/memory/byte-budget.ts';
import { AdjustableClock } from '../../time/adjustable-clock.ts';
import { processClock } from '../../time/clock.ts';
import { pause } from '../../time/pause.ts';
import { readAdmissionSettings } from '../admission-configuration.ts';
import { readAuthorizerConfiguration } from '../authorization.ts';
import { configureServer } from '../configure-server.ts';
import { selectedControllers } from '../controllers.ts';
import { readSimulation } from '../simulation-settings.ts';
import type { Server } from '../start/open-server.ts';
import type { StartContext } from '../start/start-context.ts';
import { NameInUseError, NoRoomError } from './cluster-errors.ts';
import { isClusterName, routeOf } from './cluster-path.ts';
import type { FirstCluster } from './first-cluster.ts';
import { frozenFork } from './frozen-fork.ts';
import { type ClusterOrigin, FurtherCluster, refuse } from './further-cluster.ts';
import { type ClusterChoice, furtherOptions } from './further-options.ts';

/** Name of the template of a minor version while it is prepared; no cluster can have it. */
const TEMPLATE = 'template.';
/** Longest time until the controllers of a template have done what there is to do, in milliseconds. */
const TEMPLATE_MILLISECONDS = 10_000;

/** Further clusters of a server at a time. */
const MOST_CLUSTERS = 2000;
/** Bytes of what they changed, in all further clusters together: above it none is created, and nothing is written. */
const MOST_BYTES = 2 ** 30;

/** A cluster of a server, whichever it is. */
export type AnyCluster = FirstCluster | FurtherCluster;

/** A past state: that at a revision, or at a time in milliseconds since the Unix epoch. */
export type PastPoint = { readonly revision: number } | { readonly time: number };

/** The parts that further clusters take from their server. */
export interface ClusterSetParts {
  readonly options: ServerOptions;
  readonly start: StartContext;
  readonly server: Server;
  readonly first: FirstCluster;
  /** Handles the requests of the first cluster. */
  readonly handle: (exchange: Exchange) => void;
  /** Default: {@link MOST_BYTES}. */
  readonly mostBytes?: number | undefined;
}

/** The clusters of a server besides the first one. */
export class ClusterSet {
  readonly #parts: ClusterSetParts;
  readonly #clusters = new Map<string, FurtherCluster>();
  /** What forks of the first cluster are configured with. */
  readonly #firstStart: () => Promise<StartContext>;
  /** Names in use, also by clusters that are being opened or stopped. */
  readonly #names = new Set<string>();
  readonly #templates = new Map<string, Promise<ClusterOrigin>>();
  /** What keeps clusters from ending by themselves. */
  readonly #expiries = new Map<FurtherCluster, () => void>();
  readonly #budget: ByteBudget;
  #count = 0;

  constructor(parts: ClusterSetParts) {
    this.#parts = parts;
    this.#budget = new ByteBudget(parts.mostBytes ?? MOST_BYTES, 'the further clusters of the server');
    this.#firstStart = once(() => this.#startOf(furtherOptions(parts.options)));
  }

  /** Passes a request to its cluster. */
  readonly handle = (exchange: Exchange): void => {
    const route = routeOf(exchange.target);
    const cluster = route.kind === 'further' ? this.#clusters.get(route.name) : undefined;
    if (route.kind === 'first') this.#parts.handle(exchange);
    else if (cluster === undefined) refuse(exchange, errors.pathNotFound());
    else cluster.handle(exchange);
  };

  /** All clusters, by name. */
  all(): FurtherCluster[] {
    return [...this.#clusters.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** Whether a cluster has a name, or is about to have it. */
  isUsed(name: string): boolean {
    return this.#names.has(name);
  }

  /** The clusters that were forked from another one. */
  childrenOf({ name }: FurtherCluster): FurtherCluster[] {
    return this.all().filter(({ parent }) => parent === name);
  }

  /** Removes a cluster and all that were forked from it. */
  async removeTree(cluster: FurtherCluster): Promise<void> {
    for (const child of this.childrenOf(cluster)) await this.removeTree(child);
    await this.remove(cluster);
  }

  /** Removes a cluster after some milliseconds. */
  expire(cluster: FurtherCluster, milliseconds: number): void {
    const cancel = processClock.after(milliseconds, () => void this.remove(cluster));
    this.#expiries.set(cluster, cancel);
  }

  get(name: string): FurtherCluster | undefined {
    return this.#clusters.get(name);
  }

  /**
   * Opens a cluster that has the objects of every cluster and no others.
   * @throws ConfigurationError for a name or a version that cannot be used
   */
  async create(name?: string, choice: ClusterChoice = {}): Promise<FurtherCluster> {
    return this.open(name, await this.#template(choice));
  }

  /**
   * Opens a cluster with the present state of another one.
   * @throws ConfigurationError for a name that cannot be used, and for a parent whose objects are not in memory
   */
  async fork(parent: AnyCluster, name?: string): Promise<FurtherCluster> {
    return this.open(name, await this.#originOf(parent));
  }

  /**
   * Opens a cluster that shows a past state of another one and cannot be changed.
   * @param point a revision, or a time of the cluster: its last revision at that time
   * @throws ConfigurationError as {@link fork}, CompactedError, FutureRevisionError
   */
  async at(parent: AnyCluster, point: PastPoint, name?: string): Promise<FurtherCluster> {
    const revision = 'revision' in point ? point.revision : parent.memory.revisionAt(point.time);
    const state = frozenFork(parent.memory, revision);
    return this.open(name, { ...(await this.#originOf(parent)), state, isSettled: true, isReadOnly: true });
  }

  /** Opens a cluster of an origin. @throws ConfigurationError for a name that cannot be used */
  async open(name: string | undefined, origin: ClusterOrigin): Promise<FurtherCluster> {
    const used = name ?? this.#newName();
    if (!isClusterName(used))
      throw new ConfigurationError(
        'the name of a cluster is a DNS label: lower-case letters, digits and -, at most 63 characters',
      );
    if (this.#names.has(used)) throw new NameInUseError(`a cluster named ${JSON.stringify(used)} exists`);
    this.#checkRoom();
    this.#names.add(used);
    try {
      const cluster = await FurtherCluster.open(used, origin, this.#parts.server);
      this.#clusters.set(used, cluster);
      return cluster;
    } catch (error) {
      this.#names.delete(used);
      throw error;
    }
  }

  /** Stops a cluster; its objects are gone. */
  async remove(cluster: FurtherCluster): Promise<void> {
    if (this.#clusters.get(cluster.name) !== cluster) return;
    this.#clusters.delete(cluster.name);
    this.#expiries.get(cluster)?.();
    this.#expiries.delete(cluster);
    await cluster.stop();
    this.#names.delete(cluster.name);
  }

  /** Stops all clusters. */
  async stop(): Promise<void> {
    await Promise.all([...this.#clusters.values()].map((cluster) => this.remove(cluster)));
    for (const template of this.#templates.values())
      await (await template.catch(() => undefined))?.state.close();
    this.#templates.clear();
  }

  /** @throws NoRoomError if there are too many clusters, or too many bytes in them */
  #checkRoom(): void {
    if (this.#names.size >= MOST_CLUSTERS)
      throw new NoRoomError(`a server has at most ${MOST_CLUSTERS} further clusters: delete some first`);
    const problem = this.#budget.problem();
    if (problem !== undefined) throw new NoRoomError(problem);
  }

  #newName(): string {
    for (;;) {
      this.#count += 1;
      const name = `c${this.#count}`;
      if (!this.#names.has(name)) return name;
    }
  }

  async #originOf(parent: AnyCluster): Promise<ClusterOrigin> {
    const { clock, memory, isSettled } = parent;
    const state = frozenFork(memory);
    const start = 'origin' in parent ? parent.origin.start : await this.#firstStart();
    return {
      start,
      state,
      isSettled,
      isPrepared: true,
      clock,
      budget: this.#budget,
      ...('origin' in parent && { parent: parent.name }),
    };
  }

  #template(choice: ClusterChoice): Promise<ClusterOrigin> {
    const key = JSON.stringify([choice.kubernetesVersion, choice.simulateNodes]);
    let template = this.#templates.get(key);
    if (template === undefined) {
      template = this.#prepare(furtherOptions(this.#parts.options, choice));
      template.catch(() => this.#templates.delete(key));
      this.#templates.set(key, template);
    }
    return template;
  }

  /** Opens a cluster, waits until its controllers have nothing to do, and keeps its state. */
  async #prepare(options: ServerOptions): Promise<ClusterOrigin> {
    const { createMemoryStorage } = await import('../../storage/memory/memory-storage.ts');
    const start = await this.#startOf(options);
    const clock = new AdjustableClock(processClock);
    const empty = createMemoryStorage();
    const origin = { start, state: empty, isPrepared: false, isSettled: false, clock, budget: this.#budget };
    const cluster = await FurtherCluster.open(TEMPLATE, origin, this.#parts.server);
    try {
      await Promise.race([cluster.quiescent(), pause(TEMPLATE_MILLISECONDS)]);
      return { ...origin, state: frozenFork(cluster.memory), isPrepared: true, isSettled: cluster.isSettled };
    } finally {
      await cluster.stop();
      await empty.close();
    }
  }

  /** What is read from options, as for the first cluster. */
  async #startOf(options: ServerOptions): Promise<StartContext> {
    const { start } = this.#parts;
    await loadRelease(options);
    const configuration = configureServer(options);
    return {
      ...start,
      configuration,
      selected: selectedControllers(configuration),
      authorizers: await readAuthorizerConfiguration(configuration),
      admission: await readAdmissionSettings(configuration),
      encryption: undefined,
      simulation: await readSimulation(configuration),
    };
  }
}
