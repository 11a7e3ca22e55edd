import type { RequestContext } from '../../request/context.ts';
import { jsonText } from '../response/answer.ts';
import { type Encoding, MEDIA_TYPES, parseAccept } from '../response/negotiation.ts';
import { type AggregatedVersion, aggregatedGroup, aggregatedHead } from './discovery-documents.ts';
import type { DiscoveredGroup } from './discovery-source.ts';

/** Writes aggregated documents from the text of each group, which is kept while the group's rows stay. */
export class AggregatedDocuments {
  #fragments = new Map<string, { readonly group: DiscoveredGroup; readonly text: string }>();
  readonly #metadata: object;

  /** @param metadata what an object without metadata has */
  constructor(metadata: object) {
    this.#metadata = metadata;
  }

  /** Returns the JSON of a document. */
  json(groups: readonly DiscoveredGroup[], version: AggregatedVersion): string {
    const head = jsonText(aggregatedHead(version)).slice(0, -1);
    return `${head},"items":[${groups.map((group) => this.#textOf(group)).join(',')}]}`;
  }

  /** Forgets the groups that are no longer served. */
  retain(groups: ReadonlyMap<string, DiscoveredGroup>): void {
    for (const name of this.#fragments.keys()) if (!groups.has(name)) this.#fragments.delete(name);
  }

  #textOf(group: DiscoveredGroup): string {
    const known = this.#fragments.get(group.group);
    if (known !== undefined && sameGroup(known.group, group)) return known.text;
    const text = jsonText(aggregatedGroup(group, this.#metadata));
    this.#fragments.set(group.group, { group, text });
    return text;
  }
}

const sameGroup = (left: DiscoveredGroup, right: DiscoveredGroup): boolean =>
  left.versions.length === right.versions.length &&
  left.versions.every((one, index) => {
    const other = right.versions[index]!;
    return (
      one.version === other.version &&
      one.freshness === other.freshness &&
      one.remote?.resources === other.remote?.resources &&
      (one.remote === undefined) === (other.remote === undefined) &&
      one.resources.length === other.resources.length &&
      one.resources.every((row, at) => row === other.resources[at])
    );
  });

/** Encodings of the documents of groups, and of those with custom resources only. */
export const ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'protobuf'];

/** A requested form of the aggregated document. */
export interface AggregatedForm {
  readonly version: AggregatedVersion;
  readonly encoding: Encoding;
}

/**
 * Returns the first aggregated form of these versions that the client accepts. Any such clause takes precedence over all plain
 * ones, as in kube-apiserver.
 */
export function aggregatedForm(
  { exchange }: RequestContext,
  versions: readonly AggregatedVersion[],
): AggregatedForm | undefined {
  const accept = exchange.header('accept');
  if (accept === undefined || !accept.includes('APIGroupDiscoveryList')) return undefined;
  for (const { type, parameters } of parseAccept(accept)) {
    const isPattern = type === '*/*' || type === 'application/*';
    const encoding = isPattern ? 'json' : Object.hasOwn(MEDIA_TYPES, type) ? MEDIA_TYPES[type] : undefined;
    const version = versions.find((one) => one === parameters.get('v'));
    if (encoding === undefined || !ENCODINGS.includes(encoding) || version === undefined) continue;
    if (parameters.get('g') === 'apidiscovery.k8s.io' && parameters.get('as') === 'APIGroupDiscoveryList')
      return { version, encoding };
  }
  return undefined;
}
