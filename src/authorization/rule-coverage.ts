import { trimEnd } from '../model/trim-end.ts';
import type { PolicyRule } from './rbac-types.ts';

/**
 * Rules that cover one another are compared piece by piece; a request with more pieces than this is refused
 * instead.
 */
const PIECES_LIMIT = 100_000;

/** A rule with one verb, and one resource of one group with at most one name, or one path. */
interface Piece {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string | undefined;
  readonly path: string | undefined;
}

const countPieces = ({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): number =>
  verbs.length *
  (apiGroups.length * resources.length * Math.max(1, resourceNames.length) + nonResourceURLs.length);

function piecesOf(rule: PolicyRule): Piece[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const pieces: Piece[] = [];
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs)
        for (const name of names) pieces.push({ verb, group, resource, name, path: undefined });
  for (const path of nonResourceURLs)
    for (const verb of verbs) pieces.push({ verb, group: '', resource: '', name: undefined, path });
  return pieces;
}

/** A rule as pieces are looked up in it. */
interface Owner {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly resourceNames: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  /** Paths that end in `*`, without that. */
  readonly pathPrefixes: readonly string[];
}

const ownerOf = ({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs = [],
}: PolicyRule): Owner => ({
  verbs: new Set(verbs),
  apiGroups: new Set(apiGroups),
  resources: new Set(resources),
  resourceNames: new Set(resourceNames),
  paths: new Set(nonResourceURLs),
  pathPrefixes: nonResourceURLs.filter((path) => path.endsWith('*')).map((path) => trimEnd(path, '*')),
});

const holds = (values: ReadonlySet<string>, wanted: string): boolean => values.has('*') || values.has(wanted);

function resourceHolds(resources: ReadonlySet<string>, wanted: string): boolean {
  if (holds(resources, wanted)) return true;
  const slash = wanted.indexOf('/');
  return slash !== -1 && resources.has(`*${wanted.slice(slash)}`);
}

function covers(owner: Owner, piece: Piece): boolean {
  if (!holds(owner.verbs, piece.verb)) return false;
  const { path } = piece;
  if (path !== undefined)
    return owner.paths.has(path) || owner.pathPrefixes.some((prefix) => path.startsWith(prefix));
  return (
    holds(owner.apiGroups, piece.group) &&
    resourceHolds(owner.resources, piece.resource) &&
    (owner.resourceNames.size === 0 || (piece.name !== undefined && owner.resourceNames.has(piece.name)))
  );
}

const toRule = ({ group, resource, name, path }: Piece, verbs: readonly string[]): PolicyRule =>
  path === undefined
    ? {
        verbs,
        apiGroups: [group],
        resources: [resource],
        ...(name === undefined ? {} : { resourceNames: [name] }),
      }
    : { verbs, nonResourceURLs: [path] };

/**
 * What `wanted` allows and `owned` does not, as rules that are merged by resource (or path) again.
 * Piece by piece: two rules that together hold a third one cover it.
 * @throws RangeError when a rule multiplies out to too many pieces
 */
export function uncoveredRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  if (wanted.reduce((sum, rule) => sum + countPieces(rule), 0) > PIECES_LIMIT)
    throw new RangeError('the rules have too many combinations');
  const merged = new Map<string, { readonly first: Piece; readonly verbs: Set<string> }>();
  const owners = owned.map(ownerOf);
  for (const piece of wanted.flatMap(piecesOf)) {
    if (owners.some((owner) => covers(owner, piece))) continue;
    const key = JSON.stringify([piece.group, piece.resource, piece.name, piece.path]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { first: piece, verbs: new Set([piece.verb]) });
    else known.verbs.add(piece.verb);
  }
  return [...merged.values()].map(({ first, verbs }) => toRule(first, [...verbs]));
}
