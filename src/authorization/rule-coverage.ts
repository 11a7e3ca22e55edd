import type { PolicyRule } from './rbac-types.ts';

/** Rules that cover one another are compared piece by piece; a request with more pieces than this is refused instead. */
const PIECES_LIMIT = 100_000;

/** A rule with one verb, and one resource of one group with at most one name, or one path. */
interface Piece {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string | undefined;
  readonly path: string | undefined;
}

function piecesOf(rule: PolicyRule): Piece[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (verbs.length * (apiGroups.length * resources.length * Math.max(1, resourceNames.length) + nonResourceURLs.length) > PIECES_LIMIT)
    throw new RangeError('the rule has too many combinations');
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const pieces: Piece[] = [];
  for (const group of apiGroups)
    for (const resource of resources) for (const verb of verbs) for (const name of names) pieces.push({ verb, group, resource, name, path: undefined });
  for (const path of nonResourceURLs) for (const verb of verbs) pieces.push({ verb, group: '', resource: '', name: undefined, path });
  return pieces;
}

const holds = (values: readonly string[] = [], wanted: string): boolean => values.includes('*') || values.includes(wanted);

function resourceHolds(resources: readonly string[] = [], wanted: string): boolean {
  if (holds(resources, wanted)) return true;
  const slash = wanted.indexOf('/');
  return slash !== -1 && resources.includes(`*${wanted.slice(slash)}`);
}

const pathHolds = (paths: readonly string[] = [], wanted: string): boolean =>
  paths.some((path) => path === '*' || path === wanted || (path.endsWith('*') && wanted.startsWith(path.replace(/\*+$/, ''))));

function covers(owner: PolicyRule, piece: Piece): boolean {
  if (!holds(owner.verbs, piece.verb)) return false;
  if (piece.path !== undefined) return pathHolds(owner.nonResourceURLs, piece.path);
  const { resourceNames = [] } = owner;
  return (
    holds(owner.apiGroups, piece.group) &&
    resourceHolds(owner.resources, piece.resource) &&
    (resourceNames.length === 0 || (piece.name !== undefined && resourceNames.includes(piece.name)))
  );
}

const toRule = ({ verb, group, resource, name, path }: Piece): PolicyRule =>
  path === undefined
    ? { verbs: [verb], apiGroups: [group], resources: [resource], ...(name === undefined ? {} : { resourceNames: [name] }) }
    : { verbs: [verb], nonResourceURLs: [path] };

/**
 * What `wanted` allows and `owned` does not, as rules that are merged by resource (or path) again.
 * Piece by piece: two rules that together hold a third one cover it.
 * @throws RangeError when a rule multiplies out to too many pieces
 */
export function uncoveredRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const piece of wanted.flatMap(piecesOf)) {
    if (owned.some((owner) => covers(owner, piece))) continue;
    const key = JSON.stringify([piece.group, piece.resource, piece.name, piece.path]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, toRule(piece));
    else if (!known.verbs!.includes(piece.verb)) merged.set(key, { ...known, verbs: [...known.verbs!, piece.verb] });
  }
  return [...merged.values()];
}
