import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { ServedClusters } from '../../handlers/endpoints/clusters.ts';
import type { ServedFaults } from '../../handlers/endpoints/faults.ts';
import type { RequestMembers } from '../../handlers/endpoints/members.ts';
import { PRODUCT_VERSION } from '../../options/version.ts';
import { plainVersion, type ReadyLine } from '../../start-contract/ready-line.ts';
import { ApiError, errors } from '../../status/index.ts';
import { CompactedError, FutureRevisionError } from '../../storage/storage.ts';
import { processClock } from '../../time/clock.ts';
import { NameInUseError, NoRoomError } from './cluster-errors.ts';
import type { AnyCluster, ClusterSet, PastPoint } from './cluster-set.ts';
import { millisecondsOf, timeOf } from './cluster-time.ts';
import type { FurtherCluster } from './further-cluster.ts';
import { faultsOverHttp } from './served-faults.ts';

/** Name of a cluster in errors. */
const CLUSTERS = { group: '', resource: 'clusters' };
/** The name by which requests mean the first cluster. */
const FIRST = 'first';
const MEMBERS = ['name', 'from', 'at', 'kubernetesVersion', 'simulateNodes', 'expires'];
const CLOCK_MEMBERS = ['advance', 'freeze', 'set', 'run'];
/** Longest time that a timer of the process can wait, in milliseconds. */
const LONGEST_LIFE = 2 ** 31 - 1;

/** Serves further clusters over HTTP. */
export class ClustersOverHttp implements ServedClusters {
  readonly #clusters: ClusterSet;
  readonly #first: AnyCluster;

  constructor(clusters: ClusterSet, first: AnyCluster) {
    this.#clusters = clusters;
    this.#first = first;
  }

  list(): object {
    return {
      lifetime: 'clusters are in memory: they end with the process',
      clusters: this.#clusters.all().map((cluster) => this.#describe(cluster)),
    };
  }

  create(request: RequestMembers): Promise<object> {
    return answered(async () => {
      requireKnown(request, MEMBERS);
      const name = text(request, 'name');
      const expires = request.get('expires');
      const life = expires === undefined ? undefined : lifeOf(expires);
      if (name === FIRST || (name !== undefined && this.#clusters.isUsed(name)))
        throw errors.alreadyExists(CLUSTERS, name);
      const cluster = await this.#open(name, request).catch((error: unknown) => {
        // Another request may have taken it meanwhile.
        throw error instanceof NameInUseError ? errors.alreadyExists(CLUSTERS, name!) : error;
      });
      if (life !== undefined) this.#clusters.expire(cluster, life);
      return readyLineOf(cluster);
    });
  }

  show(name: string): object {
    return this.#describe(this.#find(name));
  }

  async remove(name: string, cascade: boolean): Promise<object> {
    const cluster = this.#find(name);
    const children = this.#clusters.childrenOf(cluster);
    if (children.length > 0 && !cascade)
      throw errors.conflict(
        CLUSTERS,
        name,
        `${children.map((child) => child.name).join(', ')} ${children.length === 1 ? 'was' : 'were'} forked from it; delete with ?cascade=true to delete them too`,
      );
    await this.#clusters.removeTree(cluster);
    return { status: 'Success' };
  }

  reset(name: string): Promise<object> {
    const cluster = this.#find(name);
    return answered(async () => {
      await cluster.reset();
      return this.#describe(cluster);
    });
  }

  showClock(name: string): object {
    const { time } = this.#find(name);
    return { now: time.now().toISOString(), frozen: time.isFrozen };
  }

  changeClock(name: string, change: RequestMembers): Promise<object> {
    const { time } = this.#find(name);
    return answered(async () => {
      requireKnown(change, CLOCK_MEMBERS);
      if (change.size !== 1) throw errors.badRequest(`give one of ${CLOCK_MEMBERS.join(', ')}`);
      const [[member, value] = ['', undefined]] = change;
      if (member === 'advance') await time.advance(value as string);
      else if (member === 'set') await time.set(value as string);
      else if (value !== true) throw errors.badRequest(`${member} must be true`);
      else if (member === 'freeze') time.freeze();
      else time.run();
      return this.showClock(name);
    });
  }

  faults(name: string): ServedFaults {
    const { faults } = this.#find(name);
    if (faults === undefined) throw errors.pathNotFound();
    return faultsOverHttp(faults);
  }

  async #open(name: string | undefined, request: RequestMembers): Promise<FurtherCluster> {
    const from = text(request, 'from');
    const at = request.get('at');
    const kubernetesVersion = text(request, 'kubernetesVersion');
    const simulateNodes = request.get('simulateNodes');
    if (from === undefined) {
      if (at !== undefined) throw errors.badRequest('at needs from: the cluster whose past state is meant');
      if (simulateNodes !== undefined && !Number.isSafeInteger(simulateNodes))
        throw errors.badRequest('simulateNodes must be a whole number');
      return this.#clusters.create(name, {
        kubernetesVersion,
        simulateNodes: simulateNodes as number | undefined,
      });
    }
    if (kubernetesVersion !== undefined || simulateNodes !== undefined)
      throw errors.badRequest('a cluster from another one has its version and its nodes');
    const parent = from === FIRST ? this.#first : this.#find(from);
    return at === undefined
      ? this.#clusters.fork(parent, name)
      : this.#clusters.at(parent, pastPointOf(at), name);
  }

  #find(name: string): FurtherCluster {
    const cluster = this.#clusters.get(name);
    if (cluster === undefined) throw errors.notFound(CLUSTERS, name);
    return cluster;
  }

  #describe(cluster: FurtherCluster): object {
    const { name, url, memory, time, origin, parent } = cluster;
    const { bytes, keys } = memory.statistics();
    return {
      name,
      url,
      version: plainVersion(origin.start.configuration.scheme.release.gitVersion),
      ...(parent !== undefined && { from: parent }),
      readOnly: origin.isReadOnly === true,
      revision: String(memory.revision),
      objects: keys,
      bytes,
      now: time.now().toISOString(),
    };
  }
}

/** The line of the start contract, with the name of the cluster. */
function readyLineOf(cluster: FurtherCluster): ReadyLine & { readonly name: string } {
  return {
    binnacle: PRODUCT_VERSION,
    name: cluster.name,
    url: cluster.url,
    ca: cluster.caBundle,
    version: plainVersion(cluster.origin.start.configuration.scheme.release.gitVersion),
    pid: process.pid,
    token: cluster.token,
  };
}

/** When a client may try again to create a cluster, in seconds. */
const NO_ROOM_SECONDS = 10;

/** Answers errors of the library as those of the API. */
async function answered(run: () => Promise<object>): Promise<object> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof NoRoomError) throw errors.tooManyRequests(error.message, NO_ROOM_SECONDS);
    if (error instanceof CompactedError) throw errors.expired(error.message);
    if (
      error instanceof ConfigurationError ||
      error instanceof FutureRevisionError ||
      error instanceof RangeError
    )
      throw errors.badRequest(error.message);
    throw error;
  }
}

function requireKnown(members: RequestMembers, known: readonly string[]): void {
  for (const name of members.keys())
    if (!known.includes(name))
      throw errors.badRequest(
        `unknown member ${JSON.stringify(name.slice(0, 100))}: use ${known.join(', ')}`,
      );
}

function text(members: RequestMembers, name: string): string | undefined {
  const value = members.get(name);
  if (value === undefined || typeof value === 'string') return value;
  throw errors.badRequest(`${name} must be a text`);
}

/** Milliseconds until a cluster ends: a duration, or a time. */
function lifeOf(expires: unknown): number {
  const isTime = typeof expires === 'string' && /^\d{4}-/.test(expires);
  const life = isTime ? timeOf(expires) - processClock.now() : millisecondsOf(expires as string);
  if (life <= 0 || life > LONGEST_LIFE)
    throw errors.badRequest('expires must be in the future, at most 24 days away');
  return life;
}

/** A number, or digits, are a resource version; other texts are times. */
function pastPointOf(at: unknown): PastPoint {
  if (typeof at === 'number' || (typeof at === 'string' && /^\d{1,16}$/.test(at))) {
    if (!Number.isSafeInteger(Number(at))) throw errors.badRequest('at must be a resource version or a time');
    return { revision: Number(at) };
  }
  return { time: timeOf(at as string) };
}
