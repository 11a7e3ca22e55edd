import type { NamedRuleWithOperations } from '../../model/generated/admissionregistration-v1.ts';
import type { GroupVersionKind, GroupVersionResource } from '../../model/object.ts';
import type { AdmissionOperation, AdmissionRequest } from '../../request/admission.ts';
import type { EquivalentResources } from '../listers.ts';
import { type IsExempt, isClusterScoped, isNamespaces, type RuleTarget, ruleMatches } from './rules.ts';

/** The rules of a webhook, or of a policy or binding. */
export interface MatchRules {
  /** Absent: everything matches. */
  readonly rules: readonly NamedRuleWithOperations[] | undefined;
  /** Rules that exclude what {@link rules} match. */
  readonly excludes?: readonly NamedRuleWithOperations[];
  /** `Exact`: only the version of the request; otherwise any served version of its kind (`Equivalent`). */
  readonly isExact: boolean;
}

/** A resource and kind that rules match: those of the request, or another version of them. */
export interface MatchedVersion {
  readonly resource: GroupVersionResource;
  /** Undefined: the kind of the request. */
  readonly kind: GroupVersionKind | undefined;
  /** Names of the objects that match; undefined: all. */
  readonly names: ReadonlySet<string> | undefined;
}

/** An entry whose rules match a request, names aside. */
export interface Candidate<Entry> {
  readonly entry: Entry;
  /** In the order in which they are tried; the first whose names match counts. */
  readonly versions: readonly MatchedVersion[];
  /** Names of objects that are excluded; true for all. */
  readonly excluded: readonly ReadonlySet<string>[];
}

/**
 * Maximum remembered combinations of operation, resource and scope; only churn of custom resources reaches
 * it.
 */
const KNOWN_LIMIT = 20_000;

/**
 * Entries by what their rules match: the rules are compared once per operation and resource, requests look
 * the result up. Make a new index when the entries or the served resources change.
 */
export class MatchIndex<Entry> {
  readonly #entries: readonly { readonly entry: Entry; readonly match: MatchRules }[];
  readonly #equivalents: EquivalentResources;
  readonly #isExempt: IsExempt;
  readonly #known = new Map<string, readonly Candidate<Entry>[]>();

  constructor(
    entries: readonly Entry[],
    rulesOf: (entry: Entry) => MatchRules,
    equivalents: EquivalentResources,
    isExempt: IsExempt,
  ) {
    this.#entries = entries.map((entry) => ({ entry, match: rulesOf(entry) }));
    this.#equivalents = equivalents;
    this.#isExempt = isExempt;
  }

  /** The entries whose rules may match a request, in their order. */
  candidates(request: AdmissionRequest): readonly Candidate<Entry>[] {
    const { operation, resource, subresource } = request;
    return this.#find({ operation, resource, subresource, isClusterScoped: isClusterScoped(request) });
  }

  /** Whether the rules of an entry match requests for a resource in any of its served versions. */
  handles(operation: AdmissionOperation, group: string, resource: string, subresource: string): boolean {
    if (this.#entries.length === 0 || this.#isExempt(group, resource)) return false;
    return this.#equivalents.versionsOf(group, resource).some((version) =>
      [false, true].some(
        (isCluster) =>
          this.#find({
            operation,
            resource: { group, version, resource },
            subresource,
            isClusterScoped: isCluster || isNamespaces({ group, resource }),
          }).length > 0,
      ),
    );
  }

  #find(target: RuleTarget): readonly Candidate<Entry>[] {
    if (this.#entries.length === 0 || this.#isExempt(target.resource.group, target.resource.resource))
      return [];
    const { operation, resource, subresource, isClusterScoped: isCluster } = target;
    const key = `${operation} ${resource.group}/${resource.version}/${resource.resource}/${subresource}${isCluster ? '' : ' n'}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#entries.flatMap(({ entry, match }) => this.#candidate(entry, match, target));
      if (this.#known.size >= KNOWN_LIMIT) this.#known.clear();
      this.#known.set(key, known);
    }
    return known;
  }

  #candidate(entry: Entry, match: MatchRules, target: RuleTarget): Candidate<Entry>[] {
    const excluded = this.#versions(match.excludes ?? [], match.isExact, target);
    if (excluded.some(({ names }) => names === undefined)) return [];
    const versions =
      match.rules === undefined
        ? [{ resource: target.resource, kind: undefined, names: undefined }]
        : this.#versions(match.rules, match.isExact, target);
    if (versions.length === 0) return [];
    return [{ entry, versions, excluded: excluded.map(({ names }) => names!) }];
  }

  /** What the rules match: first all rules by the request's own version, then by the others, rule by rule. */
  #versions(
    rules: readonly NamedRuleWithOperations[],
    isExact: boolean,
    target: RuleTarget,
  ): MatchedVersion[] {
    const found: MatchedVersion[] = rules
      .filter((rule) => ruleMatches(rule, target))
      .map((rule) => ({ resource: target.resource, kind: undefined, names: namesOf(rule) }));
    if (isExact || found.some(({ names }) => names === undefined)) return found;
    const { group, version, resource: name } = target.resource;
    const others = this.#equivalents
      .of(target.resource, target.subresource)
      .filter(
        ({ resource }) =>
          resource.group !== group || resource.version !== version || resource.resource !== name,
      );
    for (const rule of rules)
      for (const { resource, kind } of others)
        if (ruleMatches(rule, { ...target, resource })) found.push({ resource, kind, names: namesOf(rule) });
    return found;
  }
}

const namesOf = ({ resourceNames = [] }: NamedRuleWithOperations): ReadonlySet<string> | undefined =>
  resourceNames.length === 0 ? undefined : new Set(resourceNames);

/** The version in which a candidate matches an object of this name; undefined if it does not match. */
export function matchedVersion<Entry>(
  { versions, excluded }: Candidate<Entry>,
  name: string,
): MatchedVersion | undefined {
  for (const names of excluded) if (names.has(name)) return undefined;
  for (const version of versions) if (version.names === undefined || version.names.has(name)) return version;
  return undefined;
}
