/**
 * Controllers that can be left out, by their names of today, with the names that older releases gave them.
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
  ['token-cleaner-controller', 'tokencleaner'],
  ['bootstrap-signer-controller', 'bootstrapsigner'],
]);

/** Controllers that `*` does not mean, as in kube-controller-manager. */
const NAMED_ONLY: ReadonlySet<string> = new Set(['token-cleaner-controller', 'bootstrap-signer-controller']);

/**
 * The controllers that `--controllers` turns on: `*` is all that are on by default, `name` one, `-name` all
 * but one, `-*` none. A name by itself wins over `*`; the first mention decides.
 * @throws Error naming the controllers there are
 */
export function selectControllers(list: readonly string[]): ReadonlySet<string> {
  const mentioned = new Map<string, boolean>();
  for (const entry of list) {
    const on = !entry.startsWith('-');
    const name = nameOf(on ? entry : entry.slice(1));
    if (!mentioned.has(name)) mentioned.set(name, on);
  }
  const all = mentioned.get('*') ?? false;
  return new Set([...ALIASES.keys()].filter((name) => mentioned.get(name) ?? (all && !NAMED_ONLY.has(name))));
}

function nameOf(text: string): string {
  if (text === '*' || ALIASES.has(text)) return text;
  for (const [name, alias] of ALIASES) if (alias === text) return name;
  throw new Error(
    `${JSON.stringify(text)} is no built-in controller; there are ${[...ALIASES.keys()].join(', ')}`,
  );
}
