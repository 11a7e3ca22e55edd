import type { Pod } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import { admissionForbidden } from '../forbidden.ts';
import { described, violations } from '../pod-security/evaluate.ts';
import { isStricter, LABEL_PREFIX, type LevelVersion, policyOf } from '../pod-security/policy.ts';
import { type AdmissionReaders, whenKnown } from '../readers.ts';

/** Where the template of its pods stands in each workload. */
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ['/replicationcontrollers', ['spec', 'template']],
  ['/podtemplates', ['template']],
  ['apps/deployments', ['spec', 'template']],
  ['apps/replicasets', ['spec', 'template']],
  ['apps/statefulsets', ['spec', 'template']],
  ['apps/daemonsets', ['spec', 'template']],
  ['batch/jobs', ['spec', 'template']],
  ['batch/cronjobs', ['spec', 'jobTemplate', 'spec', 'template']],
]);
/** Existing pods that are looked at when a namespace becomes stricter. */
const MAXIMUM_PODS = 3000;

/** Keeps pods to the security level of their namespace; workloads are only warned about. */
export function podSecurity({ namespace: find, pods }: Pick<AdmissionReaders, 'namespace' | 'pods'>): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    handles(operation, group, resource, subresource) {
      if (group === '' && resource === 'pods')
        return (operation === 'CREATE' && subresource === '') || (operation === 'UPDATE' && subresource === 'ephemeralcontainers');
      if (subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return false;
      return (group === '' && resource === 'namespaces') || TEMPLATES.has(`${group}/${resource}`);
    },
    validate(request) {
      const { resource } = request.resource;
      if (resource === 'namespaces') return checkNamespace(request, pods);
      const pod = resource === 'pods' ? (request.object as Pod) : templateOf(request);
      if (pod?.spec === undefined) return;
      return whenKnown(find(request.namespace), (found) => checkPod(request, pod, found?.metadata?.labels, resource === 'pods'));
    },
  };
}

function templateOf({ resource: { group, resource }, object }: AdmissionRequest): Pod | undefined {
  let part: unknown = object;
  for (const member of TEMPLATES.get(`${group}/${resource}`)!) part = (part as Record<string, unknown> | undefined)?.[member];
  return part as Pod | undefined;
}

/** @throws ApiError 403 for a pod that breaks the level that is enforced */
function checkPod(request: AdmissionRequest, pod: Pod, labels: Readonly<Record<string, string>> | undefined, enforces: boolean): void {
  const { policy } = policyOf(labels);
  const text = (against: LevelVersion): string | undefined => {
    const found = violations(pod, against);
    return found.length === 0 ? undefined : `violate PodSecurity ${JSON.stringify(against.text)}: ${described(found)}`;
  };
  if (enforces) request.annotate(`${LABEL_PREFIX}enforce-policy`, policy.enforce.text);
  const audit = text(policy.audit);
  if (audit !== undefined) request.annotate(`${LABEL_PREFIX}audit-violations`, `would ${audit}`);
  const enforced = enforces ? violations(pod, policy.enforce) : [];
  if (enforced.length > 0) throw admissionForbidden(request, `violates PodSecurity ${JSON.stringify(policy.enforce.text)}: ${described(enforced)}`);
  const warning = text(policy.warn);
  if (warning !== undefined) request.warn(`would ${warning}`);
}

/** Labels must name levels that there are; who raises the level is told which pods break it. @throws ApiError 422 */
function checkNamespace(request: AdmissionRequest, pods: AdmissionReaders['pods']): void | Promise<void> {
  const { object, oldObject } = request;
  const name = object!.metadata?.name ?? '';
  const next = policyOf(object!.metadata?.labels);
  const previous = policyOf(oldObject?.metadata?.labels);
  const known = new Set(previous.faults.map(({ field, body }) => `${field} ${body}`));
  const faults = oldObject === undefined ? next.faults : next.faults.filter(({ field, body }) => !known.has(`${field} ${body}`));
  if (faults.length > 0) throw errors.invalid({ group: '', kind: 'Namespace' }, name, faults);
  if (oldObject === undefined || !isStricter(next.policy.enforce, previous.policy.enforce)) return;
  return whenKnown(pods(name), (existing) => warnAboutPods(request, name, existing, next.policy.enforce));
}

function warnAboutPods(request: AdmissionRequest, namespace: string, existing: readonly KubernetesObject[], enforced: LevelVersion): void {
  const byReason = new Map<string, string[]>();
  for (const pod of existing.slice(0, MAXIMUM_PODS)) {
    const reasons = violations(pod as Pod, enforced).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const key = reasons.join(', ');
    byReason.set(key, [...(byReason.get(key) ?? []), pod.metadata?.name ?? '']);
  }
  if (byReason.size === 0) return;
  request.warn(`existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(enforced.text)}`);
  const lines = [...byReason].map(([reason, [first = '', ...others]]) => {
    const more = others.length === 0 ? '' : ` (and ${others.length} other pod${others.length === 1 ? '' : 's'})`;
    return `${first}${more}: ${reason}`;
  });
  for (const line of lines.sort()) request.warn(line);
}
