import { jsonText } from '../response/answer.ts';
import { type AggregatedVersion, aggregatedGroup, aggregatedHead } from './discovery-documents.ts';
import type { DiscoveredGroup } from './discovery-source.ts';

/** Writes aggregated documents from the text of each group, which is kept while the group's rows stay. */
export class AggregatedDocuments {
  #fragments = new Map<string, { readonly group: DiscoveredGroup; readonly text: string }>();

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
    const text = jsonText(aggregatedGroup(group));
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
