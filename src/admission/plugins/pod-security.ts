import { isDeepStrictEqual } from 'node:util';
import { aggregate } from '../../errors/aggregate.ts';
import { quote } from '../../errors/quote.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { Scheme } from '../../model/scheme.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import type { PluginConfiguration, PodSecuritySettings } from '../plugin-configuration.ts';
import type { Violation } from '../pod-security/checks.ts';
import { formatViolations, violations } from '../pod-security/evaluate.ts';
import { isSignificantUpdate, prioritizePods } from '../pod-security/pods.ts';
import {
  formatLabelled,
  isFullyPrivileged,
  isSamePolicy,
  isStricter,
  LABEL_PREFIX,
  type LevelVersion,
  type Mode,
  type Policy,
  policyOf,
} from '../pod-security/policy.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

/** Path of the pod template in each workload. */
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
/** Pod subresources that do not change the pod's spec. */
const IGNORED_SUBRESOURCES: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);
/** Maximum existing pods that are checked when a namespace becomes stricter. */
const MAXIMUM_PODS = 3000;

/** Counts what the plugin does. */
export interface PodSecurityObserver {
  /** A denial in any mode, or an allowed pod in the mode `enforce`. */
  evaluated(request: AdmissionRequest, decision: 'allow' | 'deny', mode: Mode, against: LevelVersion): void;
  exempted(request: AdmissionRequest): void;
  /** @param fatal whether the policy is unknown; otherwise labels are malformed */
  failed(request: AdmissionRequest, fatal: boolean): void;
}

export interface PodSecurityOptions
  extends Pick<AdmissionListers, 'namespace' | 'pods'>,
    Pick<PluginConfiguration, 'podSecurity'> {
  readonly podSecurityObserver: PodSecurityObserver;
  readonly scheme: Pick<Scheme, 'release'>;
}

/** The violations of a level by a pod, by the rules that the release knows. */
type Evaluate = (pod: Pod, against: LevelVersion) => readonly Violation[];

/** Enforces the pod security level of the namespace; workloads only get warnings. */
export function podSecurity({
  namespace: find,
  pods,
  podSecurity: settings,
  podSecurityObserver: observer,
  scheme,
}: PodSecurityOptions): BuiltinPlugin {
  const newest = Number(scheme.release.minor);
  const evaluate: Evaluate = (pod, against) => violations(pod, against, newest);
  return {
    handles(operation, group, resource, subresource) {
      if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
      if (group === '' && resource === 'pods') return !IGNORED_SUBRESOURCES.has(subresource);
      if (subresource !== '') return false;
      return (group === '' && resource === 'namespaces') || TEMPLATES.has(`${group}/${resource}`);
    },
    validate(request) {
      const { resource } = request.resource;
      if (resource === 'namespaces') return checkNamespace(request, pods, settings, evaluate);
      const exemption = exemptionOf(request, settings);
      if (exemption !== undefined) {
        exempt(request, exemption, observer);
        return;
      }
      const pod = resource === 'pods' ? (request.object as Pod) : templateOf(request);
      if (pod?.spec === undefined) return;
      return mapMaybePromise(find(request.namespace), (found) => {
        if (found !== undefined)
          return checkPod(request, pod, found.metadata?.labels, resource === 'pods', settings, {
            observer,
            evaluate,
          });
        const text = `failed to lookup namespace ${quote(request.namespace)}`;
        observer.failed(request, true);
        request.annotate(`${LABEL_PREFIX}error`, text);
        if (resource === 'pods') throw errors.internal(text);
      });
    },
  };
}

/** Why a request is exempt: by its namespace or its user. */
function exemptionOf(
  { namespace, user }: AdmissionRequest,
  { exemptions }: PodSecuritySettings,
): string | undefined {
  if (exemptions.namespaces.has(namespace)) return 'namespace';
  return exemptions.usernames.has(user.name) ? 'user' : undefined;
}

function templateOf({ resource: { group, resource }, object }: AdmissionRequest): Pod | undefined {
  let part: unknown = object;
  for (const member of TEMPLATES.get(`${group}/${resource}`)!)
    part = (part as Record<string, unknown> | undefined)?.[member];
  return part as Pod | undefined;
}

/**
 * Evaluates a pod or pod template against the labels of its namespace. Updates of a pod are evaluated when
 * images change or containers are added.
 * @throws ApiError 403 for a pod that violates the enforced level
 */
function checkPod(
  request: AdmissionRequest,
  pod: Pod,
  labels: Readonly<Record<string, string>> | undefined,
  enforces: boolean,
  { defaults, exemptions }: PodSecuritySettings,
  { observer, evaluate }: { readonly observer: PodSecurityObserver; readonly evaluate: Evaluate },
): void {
  const { policy, errors } = policyOf(labels, defaults);
  if (errors.length === 0 && isIndifferent(policy, enforces)) {
    if (!enforces) return;
    observer.evaluated(request, 'allow', 'enforce', policy.enforce);
    request.annotate(`${LABEL_PREFIX}enforce-policy`, 'privileged:latest');
    return;
  }
  if (enforces && request.operation === 'UPDATE' && !isSignificantUpdate(pod, request.oldObject as Pod))
    return;
  if (exemptions.runtimeClasses.has(pod.spec?.runtimeClassName ?? '')) {
    exempt(request, 'runtimeClass', observer);
    return;
  }
  if (errors.length > 0) {
    const texts = errors.map((error) => `${error.field}: ${error.body}`);
    observer.failed(request, false);
    request.annotate(`${LABEL_PREFIX}error`, `Failed to parse policy: ${aggregate(texts)}`);
  }
  const evaluated = new Map<string, string | undefined>();
  const problem = (mode: Mode): string | undefined => {
    const against = policy[mode];
    if (!evaluated.has(against.text)) {
      const found = evaluate(pod, against);
      evaluated.set(
        against.text,
        found.length === 0 ? undefined : `${quote(against.text)}: ${formatViolations(found)}`,
      );
    }
    const text = evaluated.get(against.text);
    if (text !== undefined || mode === 'enforce')
      observer.evaluated(request, text === undefined ? 'allow' : 'deny', mode, against);
    return text;
  };
  if (enforces) request.annotate(`${LABEL_PREFIX}enforce-policy`, policy.enforce.text);
  const enforced = enforces ? problem('enforce') : undefined;
  const audit = problem('audit');
  if (audit !== undefined)
    request.annotate(`${LABEL_PREFIX}audit-violations`, `would violate PodSecurity ${audit}`);
  if (enforced !== undefined) throw admissionForbidden(request, `violates PodSecurity ${enforced}`);
  const warning = problem('warn');
  if (warning !== undefined) request.warn(`would violate PodSecurity ${warning}`);
}

/** Whether a policy has no effect: for a workload, its enforce level does not matter. */
const isIndifferent = (policy: Policy, enforces: boolean): boolean =>
  enforces
    ? isFullyPrivileged(policy)
    : policy.audit.level === 'privileged' && policy.warn.level === 'privileged';

function exempt(request: AdmissionRequest, reason: string, observer: PodSecurityObserver): void {
  observer.exempted(request);
  request.annotate(`${LABEL_PREFIX}exempt`, reason);
}

/**
 * Validates the pod security labels, and warns about existing pods that violate a stricter level.
 * @throws ApiError 422
 */
function checkNamespace(
  request: AdmissionRequest,
  pods: AdmissionListers['pods'],
  { defaults, exemptions }: PodSecuritySettings,
  evaluate: Evaluate,
): void | Promise<void> {
  const { object, oldObject } = request;
  const name = object!.metadata?.name ?? '';
  const labels = object!.metadata?.labels;
  const next = policyOf(labels, defaults);
  const previous = policyOf(oldObject?.metadata?.labels, defaults);
  // Unchanged invalid labels are tolerated.
  if (next.errors.length > 0 && (oldObject === undefined || !isDeepStrictEqual(next.errors, previous.errors)))
    throw errors.invalid({ group: '', kind: 'Namespace' }, name, next.errors);
  if (oldObject !== undefined && !isStricter(next.policy.enforce, previous.policy.enforce)) return;
  if (exemptions.namespaces.has(name)) {
    if (!isFullyPrivileged(next.policy) && !isSamePolicy(next.policy, defaults))
      request.warn(
        `namespace ${quote(name)} is exempt from Pod Security, and the policy (${formatLabelled(next.policy, labels)}) will be ignored`,
      );
    return;
  }
  if (oldObject === undefined) return;
  return mapMaybePromise(pods(name), (existing) =>
    warnAboutPods(
      request,
      name,
      existing.filter(
        ({ spec }) => !exemptions.runtimeClasses.has((spec as Pod['spec'])?.runtimeClassName ?? ''),
      ),
      (pod) => evaluate(pod, next.policy.enforce),
      next.policy.enforce,
    ),
  );
}

function warnAboutPods(
  request: AdmissionRequest,
  namespace: string,
  existing: readonly KubernetesObject[],
  evaluate: (pod: Pod) => readonly Violation[],
  enforced: LevelVersion,
): void {
  const byReason = new Map<string, string[]>();
  const checked = prioritizePods(existing as readonly Pod[]).slice(0, MAXIMUM_PODS);
  for (const pod of checked) {
    const reasons = evaluate(pod).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const key = reasons.join(', ');
    const names = byReason.get(key);
    if (names === undefined) byReason.set(key, [pod.metadata?.name ?? '']);
    else names.push(pod.metadata?.name ?? '');
  }
  if (checked.length < existing.length)
    request.warn(
      `new PodSecurity enforce level only checked against the first ${checked.length} of ${existing.length} existing pods`,
    );
  if (byReason.size === 0) return;
  request.warn(
    `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${quote(enforced.text)}`,
  );
  const lines = [...byReason].map(([reason, names]) => {
    const [first = '', ...others] = names.sort();
    const more =
      others.length === 0 ? '' : ` (and ${others.length} other pod${others.length === 1 ? '' : 's'})`;
    return `${first}${more}: ${reason}`;
  });
  for (const line of lines.sort()) request.warn(line);
}
