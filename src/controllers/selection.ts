/**
 * Optional controllers, with the aliases of older releases.
 */
const ALIASES = new Map([
  ['serviceaccount-controller', 'serviceaccount'],
  ['root-ca-certificate-publisher-controller', 'root-ca-cert-publisher'],
  ['namespace-controller', 'namespace'],
  ['garbage-collector-controller', 'garbagecollector'],
  ['resourcequota-controller', 'resourcequota'],
  ['clusterrole-aggregation-controller', 'clusterrole-aggregation'],
  ['certificatesigningrequest-approving-controller', 'csrapproving'],
  ['certificatesigningrequest-signing-controller', 'csrsigning'],
  ['certificatesigningrequest-cleaner-controller', 'csrcleaner'],
  ['serviceaccount-token-controller', 'serviceaccount-token'],
  ['persistentvolumeclaim-protection-controller', 'pvc-protection'],
  ['persistentvolume-protection-controller', 'pv-protection'],
  ['validatingadmissionpolicy-status-controller', 'validatingadmissionpolicy-status'],
  ['token-cleaner-controller', 'tokencleaner'],
  ['bootstrap-signer-controller', 'bootstrapsigner'],
]);

/** Controllers that are disabled by default, as in kube-controller-manager. */
const DISABLED_BY_DEFAULT: ReadonlySet<string> = new Set([
  'token-cleaner-controller',
  'bootstrap-signer-controller',
]);

/**
 * The controllers that `--controllers` enables: `*` all that are enabled by default, `name` one, `-name` all
 * but one, `-*` none. A name takes precedence over `*`. As in kube-controller-manager, the first mention of a
 * name decides. The last mention of `*` decides, so that a flag given later switches what an earlier one set.
 * @throws Error with the known controllers
 */
export function selectControllers(list: readonly string[]): ReadonlySet<string> {
  const mentioned = new Map<string, boolean>();
  for (const entry of list) {
    const on = !entry.startsWith('-');
    const name = nameOf(on ? entry : entry.slice(1));
    if (name === '*' || !mentioned.has(name)) mentioned.set(name, on);
  }
  const all = mentioned.get('*') ?? false;
  return new Set(
    [...ALIASES.keys()].filter((name) => mentioned.get(name) ?? (all && !DISABLED_BY_DEFAULT.has(name))),
  );
}

function nameOf(text: string): string {
  if (text === '*' || ALIASES.has(text)) return text;
  for (const [name, alias] of ALIASES) if (alias === text) return name;
  throw new Error(
    `${JSON.stringify(text)} is not a known controller; known controllers are ${[...ALIASES.keys()].join(', ')}`,
  );
}
