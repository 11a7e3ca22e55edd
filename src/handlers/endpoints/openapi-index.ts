import { createHash } from 'node:crypto';
import type { DescribedGroup, DocumentBuilder } from '../../openapi/documents.ts';
import type { DescribedResource } from '../../openapi/resource-paths.ts';
import { processClock } from '../../time/clock.ts';
import { type Pause, timeSlices } from './time-slices.ts';

/** A provider of described groups. */
export interface DescribedSource {
  /** Increases with every change of {@link groups}. */
  readonly generation: number;
  groups(): readonly DescribedGroup[];
}

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
  /** Those of them that are served: what the version 2 document describes. */
  readonly servedRows: readonly DescribedResource[];
  readonly hash: string;
  /** When the hash was computed first, in milliseconds since 1970. */
  readonly modified: number;
  /** Encoded documents by key. */
  readonly documents: Map<string, Promise<Bytes>>;
}

export interface Index {
  readonly generation: string;
  /** What the version 3 documents describe. */
  readonly groups: readonly DescribedGroup[];
  /** What the version 2 document describes. */
  readonly servedGroups: readonly DescribedGroup[];
  readonly entries: ReadonlyMap<string, Entry>;
  /** Hash of all entries, and of which of their resources are served. */
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
  readonly #sources: readonly DescribedSource[];
  readonly #former: readonly DescribedSource[];
  readonly #buildId: string;
  #index: Index | undefined;
  #refreshing: Promise<Index> | undefined;

  /**
   * @param buildId identifies the inputs of documents besides their resources
   * @param former resources that only version 3 documents describe
   */
  constructor(sources: readonly DescribedSource[], buildId: string, former?: DescribedSource) {
    this.#sources = sources;
    this.#former = former === undefined ? [] : [former];
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
    return [...this.#sources, ...this.#former].map((source) => source.generation).join(' ');
  }

  async #refresh(builder: DocumentBuilder): Promise<Index> {
    const generation = this.#generation();
    const servedGroups = mergeGroups(this.#sources.flatMap((source) => source.groups()));
    const former = this.#former.flatMap((source) => source.groups());
    const groups = former.length === 0 ? servedGroups : mergeGroups([...servedGroups, ...former]);
    const pause = timeSlices();
    const entries = new Map<string, Entry>();
    for (const name of builder.names(groups)) {
      const rows = builder.resources(name, groups);
      const servedRows = former.length === 0 ? rows : builder.resources(name, servedGroups);
      entries.set(name, await this.#entry(name, rows, servedRows, builder, pause));
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
      servedGroups,
      entries,
      hash: hashOf([...entries.values()].map(hashInIndex).join(' ')),
      addresses: JSON.stringify({ paths }),
      documents: new Map(),
    };
    return this.#index;
  }

  /** The known entry if it still holds; documents are kept as long as the hash is the same. */
  async #entry(
    name: string,
    rows: readonly DescribedResource[],
    servedRows: readonly DescribedResource[],
    builder: DocumentBuilder,
    pause: Pause,
  ): Promise<Entry> {
    const known = this.#index?.entries.get(name);
    if (known !== undefined && sameRows(known.rows, rows) && sameRows(known.servedRows, servedRows))
      return known;
    const custom = await builder.customHash(rows, pause);
    const hash = hashOf(`${this.#buildId} ${name} ${JSON.stringify(rows.map(describedPart))} ${custom}`);
    const same = known?.hash === hash ? known : { documents: new Map(), modified: processClock.now() };
    return { name, rows, servedRows, hash, modified: same.modified, documents: same.documents };
  }
}

const hashInIndex = ({ hash, rows, servedRows }: Entry): string =>
  rows.length === servedRows.length
    ? hash
    : `${hash} ${servedRows.map(({ resource }) => resource).join(',')}`;

function sameRows(left: readonly DescribedResource[], right: readonly DescribedResource[]): boolean {
  return left.length === right.length && left.every((row, index) => row === right[index]);
}

/** What the documents depend on: not short names and categories, which only discovery has. */
const describedPart = (row: DescribedResource): unknown => [
  row.group,
  row.version,
  row.resource,
  row.kind,
  row.listKind,
  row.namespaced,
  row.verbs,
  row.subresources.map(({ name, kind, group, version, verbs }) => [name, kind, group, version, verbs]),
];

/** Merges groups with the same name, and the resources of their versions. */
function mergeGroups(groups: readonly DescribedGroup[]): DescribedGroup[] {
  const merged = new Map<string, Map<string, DescribedResource[]>>();
  for (const { group, versions } of groups) {
    const known = merged.get(group) ?? new Map<string, DescribedResource[]>();
    merged.set(group, known);
    for (const { version, resources } of versions) {
      const rows = known.get(version);
      if (rows === undefined) known.set(version, [...resources]);
      else rows.push(...resources);
    }
  }
  return [...merged].map(([group, versions]) => ({
    group,
    versions: [...versions].map(([version, resources]) => ({ version, resources })),
  }));
}
