import type { PolicyRule } from '../model/generated/rbac-v1.ts';
import { trimEnd } from '../model/trim-end.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';

/**
 * Maximum number of pieces that are compared; a request with more is rejected.
 */
const PIECES_LIMIT = 100_000;

/** An atomic rule: one verb, and either one resource of one group with at most one name, or one path. */
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

/** A held rule, indexed for the look-up of pieces. */
interface Owner {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly resourceNames: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  /** Path patterns that end in `*`, without the `*`. */
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

const includes = (values: ReadonlySet<string>, value: string): boolean =>
  values.has('*') || values.has(value);

function includesResource(resources: ReadonlySet<string>, resource: string): boolean {
  if (includes(resources, resource)) return true;
  const slash = resource.indexOf('/');
  return slash !== -1 && resources.has(`*${resource.slice(slash)}`);
}

function covers(owner: Owner, piece: Piece): boolean {
  if (!includes(owner.verbs, piece.verb)) return false;
  const { path } = piece;
  if (path !== undefined)
    return owner.paths.has(path) || owner.pathPrefixes.some((prefix) => path.startsWith(prefix));
  return (
    includes(owner.apiGroups, piece.group) &&
    includesResource(owner.resources, piece.resource) &&
    (owner.resourceNames.size === 0 || (piece.name !== undefined && owner.resourceNames.has(piece.name)))
  );
}

const toRule = ({ group, resource, name, path }: Piece, verbs: readonly string[]): PolicyRule =>
  path === undefined
    ? {
        verbs: [...verbs],
        apiGroups: [group],
        resources: [resource],
        ...(name === undefined ? {} : { resourceNames: [name] }),
      }
    : { verbs: [...verbs], nonResourceURLs: [path] };

/**
 * The permissions of `requested` that `owned` lacks, merged into rules by resource or path. Compared piece by
 * piece: several rules may together cover another.
 * @throws RangeError when the rules expand to too many pieces
 */
export function* uncoveredRules(
  owned: readonly PolicyRule[],
  requested: readonly PolicyRule[],
): Steps<PolicyRule[]> {
  if (requested.reduce((sum, rule) => sum + countPieces(rule), 0) > PIECES_LIMIT)
    throw new RangeError('the rules expand to too many combinations');
  const merged = new Map<string, { readonly first: Piece; readonly verbs: Set<string> }>();
  const owners = owned.map(ownerOf);
  const pace = new Pace(stepSizes.comparisons);
  for (const piece of requested.flatMap(piecesOf)) {
    if (pace.isPause(owners.length)) yield;
    if (owners.some((owner) => covers(owner, piece))) continue;
    const key = JSON.stringify([piece.group, piece.resource, piece.name, piece.path]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { first: piece, verbs: new Set([piece.verb]) });
    else known.verbs.add(piece.verb);
  }
  return [...merged.values()].map(({ first, verbs }) => toRule(first, [...verbs]));
}
