const KUBERNETES_DOMAINS = ['kubernetes.io', 'k8s.io'];
const RESTRICTED_DOMAIN = 'node-restriction.kubernetes.io';
/** Domains in which kubelets may set any label. */
const KUBELET_DOMAINS = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const KUBELET_LABELS: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

type Labels = Readonly<Record<string, string>>;

const isBelow = (domain: string, parents: readonly string[]): boolean =>
  parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));

/**
 * The changed labels that a kubelet may not set on its own node, sorted.
 */
export function forbiddenNodeLabels(labels: Labels = {}, before: Labels = {}): string[] {
  const changed = [...new Set([...Object.keys(labels), ...Object.keys(before)])].filter(
    (key) => Object.hasOwn(labels, key) !== Object.hasOwn(before, key) || labels[key] !== before[key],
  );
  return changed.filter(isForbidden).sort();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const domain = slash < 0 ? '' : label.slice(0, slash);
  if (isBelow(domain, [RESTRICTED_DOMAIN])) return true;
  return (
    isBelow(domain, KUBERNETES_DOMAINS) && !KUBELET_LABELS.has(label) && !isBelow(domain, KUBELET_DOMAINS)
  );
}
