import { createHash } from 'node:crypto';
import type { DescribedGroup, DocumentBuilder } from '../../openapi/documents.ts';
import type { DescribedResource } from '../../openapi/resource-paths.ts';
import { type DiscoveredResource, type DiscoverySource, mergeGroups } from './discovery-source.ts';
import { type Pause, timeSlices } from './time-slices.ts';

/** A document's bytes, plain and compressed. */
export interface Bytes {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

/** A document of the index. It is replaced when what it describes changes. */
export interface Entry {
  readonly name: string;
  /** Resources of the group version; empty for other documents. */
  readonly rows: readonly DescribedResource[];
  readonly hash: string;
  /** Encoded documents by key. */
  readonly documents: Map<string, Promise<Bytes>>;
}

export interface Index {
  readonly generation: string;
  readonly groups: readonly DescribedGroup[];
  readonly entries: ReadonlyMap<string, Entry>;
  /** Hash of all entries. */
  readonly hash: string;
  /** The index as clients get it. */
  readonly addresses: string;
  /** Encoded documents of all entries by key. */
  readonly documents: Map<string, Promise<Bytes>>;
}

const hashOf = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();

/**
 * The names and hashes of all documents. Nothing is built before it is asked for; after a change only entries
 * whose resources differ are computed again.
 */
export class OpenApiIndex {
  readonly #sources: readonly DiscoverySource[];
  readonly #buildId: string;
  #index: Index | undefined;
  #refreshing: Promise<Index> | undefined;

  /** @param buildId identifies the inputs of documents besides their resources */
  constructor(sources: readonly DiscoverySource[], buildId: string) {
    this.#sources = sources;
    this.#buildId = buildId;
  }

  /** Returns an index that includes every change made before the call. */
  async current(builder: DocumentBuilder): Promise<Index> {
    // A refresh that is running may have begun before the latest change.
    while (this.#refreshing !== undefined && this.#index?.generation !== this.#generation())
      await this.#refreshing;
    const index = this.#index;
    if (index?.generation === this.#generation()) return index;
    this.#refreshing = this.#refresh(builder).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  #generation(): string {
    return this.#sources.map((source) => source.generation).join(' ');
  }

  async #refresh(builder: DocumentBuilder): Promise<Index> {
    const generation = this.#generation();
    const groups = describedGroups(this.#sources);
    const pause = timeSlices();
    const entries = new Map<string, Entry>();
    for (const name of builder.names(groups)) {
      entries.set(name, await this.#entry(name, builder.resources(name, groups), builder, pause));
      await pause();
    }
    const paths = Object.fromEntries(
      [...entries.values()].map(({ name, hash }) => [
        name,
        { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` },
      ]),
    );
    this.#index = {
      generation,
      groups,
      entries,
      hash: hashOf([...entries.values()].map(({ hash }) => hash).join(' ')),
      addresses: `${JSON.stringify({ paths })}\n`,
      documents: new Map(),
    };
    return this.#index;
  }

  /** The known entry if it still holds; documents are kept as long as the hash is the same. */
  async #entry(
    name: string,
    rows: readonly DescribedResource[],
    builder: DocumentBuilder,
    pause: Pause,
  ): Promise<Entry> {
    const known = this.#index?.entries.get(name);
    if (known !== undefined && sameRows(known.rows, rows)) return known;
    const custom = await builder.customHash(rows, pause);
    const hash = hashOf(`${this.#buildId} ${name} ${JSON.stringify(rows)} ${custom}`);
    return { name, rows, hash, documents: known?.hash === hash ? known.documents : new Map() };
  }
}

function sameRows(left: readonly DescribedResource[], right: readonly DescribedResource[]): boolean {
  return left.length === right.length && left.every((row, index) => row === right[index]);
}

function describedGroups(sources: readonly DiscoverySource[]): DescribedGroup[] {
  return mergeGroups(sources).map(({ group, versions }) => ({
    group,
    versions: versions.map(({ version, resources }) => ({
      version,
      resources: resources.map((resource) => describedResource(resource, group, version)),
    })),
  }));
}

/** Adds the group version to discovered resources, which only have their own names. */
const describedResource = (
  resource: DiscoveredResource | (DiscoveredResource & DescribedResource),
  group: string,
  version: string,
): DescribedResource =>
  'listKind' in resource ? resource : { listKind: `${resource.kind}List`, ...resource, group, version };
