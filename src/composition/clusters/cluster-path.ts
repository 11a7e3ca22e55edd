/** First segment of the paths of further clusters, with its slash. */
export const CLUSTERS_PATH = '/clusters';

/** Characters of the longest name of a cluster: a label of DNS (RFC 1123). */
const LONGEST_NAME = 63;
const NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** Whether a cluster may have a name. */
export const isClusterName = (name: string): boolean => name.length <= LONGEST_NAME && NAME.test(name);

/** Where a target leads. */
export type ClusterRoute =
  /** To the first cluster, which answers the paths of clusters themselves too. */
  | { readonly kind: 'first' }
  /** To a further cluster, if there is one of that name. */
  | { readonly kind: 'further'; readonly name: string }
  /** A spelling of a path of clusters that nobody may use: it would be judged as another path than it is. */
  | { readonly kind: 'misspelt' };

const FIRST: ClusterRoute = { kind: 'first' };
const MISSPELT: ClusterRoute = { kind: 'misspelt' };

/** What the first cluster answers below the path of a further one. */
const OPERATIONS: ReadonlySet<string> = new Set(['clock', 'faults', 'reset']);

/**
 * Decides which cluster a target belongs to, before anything else reads its path. The prefix has one spelling:
 * `/clusters/NAME/` with the name as it was given. Encoded, doubled and dotted forms lead nowhere.
 * @param target path and query as sent
 */
export function routeOf(target: string): ClusterRoute {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  if (!path.startsWith(`${CLUSTERS_PATH}/`)) return mayMeanClusters(path) ? MISSPELT : FIRST;
  const begin = CLUSTERS_PATH.length + 1;
  const slash = path.indexOf('/', begin);
  const name = path.slice(begin, slash < 0 ? path.length : slash);
  if (!isClusterName(name)) return MISSPELT;
  if (slash < 0 || OPERATIONS.has(path.slice(slash + 1))) return FIRST;
  return hasDots(path) ? MISSPELT : { kind: 'further', name };
}

/** Whether a path becomes one of clusters once it is decoded and cleaned. */
function mayMeanClusters(path: string): boolean {
  if (path === CLUSTERS_PATH) return false;
  if (!path.includes('%') && !path.startsWith('//') && !path.startsWith('/.')) return false;
  const segments: string[] = [];
  for (const segment of lenientlyDecoded(path).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return segments[0] === 'clusters';
}

/** Whether a segment is `.` or `..`, encoded or not. */
const hasDots = (path: string): boolean =>
  (path.includes('/.') || path.includes('%')) &&
  lenientlyDecoded(path)
    .split('/')
    .some((segment) => segment === '.' || segment === '..');

function lenientlyDecoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A malformed escape is refused by the cluster that gets the request.
    return path.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/');
  }
}
