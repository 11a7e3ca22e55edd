import { quote } from '../../errors/quote.ts';
import type {
  Container,
  Pod,
  PodSpec,
  ProjectedVolumeSource,
  ServiceAccount,
} from '../../model/generated/core-v1.ts';
import { pathSegmentProblems } from '../../model/path-segment.ts';
import { visitPodReferences } from '../../model/pod-references.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import { retryLookup, type Wait } from '../retry-lookup.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { findForbiddenSecret } from './mountable-secrets.ts';
import { isMirrorPod, onPods, podSpec } from './pod.ts';

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME_PREFIX = 'kube-api-access-';
/** A little over an hour: marks tokens that the kubelet requests for these volumes. */
const TOKEN_SECONDS = 3607;
/** Mode 0644. */
const FILE_MODE = 420;

const DEFAULT_ACCOUNT = 'default';
/** Maximum look-ups of the `default` account: a controller creates it shortly after its namespace. */
const DEFAULT_ACCOUNT_LOOKUPS = 10;
/** Minimum interval between look-ups and maximum jitter, milliseconds. */
const LOOKUP_INTERVAL = 100;
const LOOKUP_JITTER = 100;

export interface ServiceAccountOptions extends Pick<AdmissionListers, 'serviceAccount'> {
  readonly nameSuffix: () => string;
  readonly wait: Wait;
  /** A random number in [0, 1). */
  readonly random: () => number;
}

/** Sets the service account of a pod, its image pull secrets and a volume with an API token. */
export function serviceAccount({
  serviceAccount: lookup,
  nameSuffix,
  wait,
  random,
}: ServiceAccountOptions): BuiltinPlugin {
  const find = (namespace: string, name: string): MaybePromise<ServiceAccount | undefined> => {
    const look = () => lookup(namespace, name);
    if (name !== DEFAULT_ACCOUNT) return look();
    const interval = LOOKUP_INTERVAL + Math.floor(random() * LOOKUP_JITTER);
    return retryLookup(look, { attempts: DEFAULT_ACCOUNT_LOOKUPS, interval, wait });
  };
  return {
    handles: onPods('CREATE'),
    admit(request) {
      const pod = request.object!;
      // Mirror pods are validated, never modified.
      if (isMirrorPod(pod)) return rejectMirrorReferences(request, pod as Pod);
      const spec = podSpec(pod);
      const name = spec.serviceAccountName || spec.serviceAccount || DEFAULT_ACCOUNT;
      spec.serviceAccountName = name;
      spec.serviceAccount = name;
      return mapMaybePromise(find(request.namespace, name), (account) => {
        if (account === undefined) {
          const what = `error looking up service account ${request.namespace}/${name}`;
          throw admissionForbidden(request, `${what}: ${absence(name)}`);
        }
        const violation = findForbiddenSecret(spec, account);
        if (violation !== undefined) throw admissionForbidden(request, violation);
        applyAccount(spec, account, nameSuffix);
      });
    },
    validate(request) {
      const pod = request.object!;
      if (isMirrorPod(pod)) rejectMirrorReferences(request, pod as Pod);
    },
  };
}

/** A name that no request can contain is refused by the client of kube-apiserver's plugin. */
function absence(name: string): string {
  const problems = pathSegmentProblems(name);
  return problems.length === 0
    ? `serviceaccount ${quote(name)} not found`
    : `invalid resource name ${quote(name)}: [${problems.join(' ')}]`;
}

function applyAccount(spec: PodSpec, account: ServiceAccount, nameSuffix: () => string): void {
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
    mountToken(spec, nameSuffix);
  if ((spec.imagePullSecrets ?? []).length === 0 && (account.imagePullSecrets ?? []).length > 0)
    spec.imagePullSecrets = account.imagePullSecrets!.map(({ name }) => ({ name }));
}

/** Mounts the token into every container, unless its path is already used. */
function mountToken(spec: PodSpec, nameSuffix: () => string): void {
  const existing = spec.volumes?.find(({ name }) => name?.startsWith(VOLUME_PREFIX));
  const volumeName = existing?.name ?? VOLUME_PREFIX + nameSuffix();
  let mounted = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some(({ mountPath }) => mountPath === TOKEN_PATH)) continue;
    mountInto(container, volumeName);
    mounted = true;
  }
  if (mounted && existing === undefined)
    spec.volumes = [...(spec.volumes ?? []), { name: volumeName, projected: tokenSources() }];
}

function mountInto(container: Container, name: string): void {
  container.volumeMounts = [
    ...(container.volumeMounts ?? []),
    { name, readOnly: true, mountPath: TOKEN_PATH },
  ];
}

const tokenSources = (): ProjectedVolumeSource => ({
  sources: [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
  defaultMode: FILE_MODE,
});

/** Mirror pods may not reference a service account, secrets or tokens. */
function rejectMirrorReferences(request: AdmissionRequest, { metadata = {}, spec = {} }: Pod): void {
  if (spec.serviceAccountName)
    throw admissionForbidden(request, 'a mirror pod may not reference service accounts');
  // Visited as a regular pod: references of mirror pods are ignored otherwise.
  visitPodReferences({ metadata: { ...metadata, annotations: {} }, spec }, (kind) => {
    if (kind === 'secret') throw admissionForbidden(request, 'a mirror pod may not reference secrets');
  });
  for (const { projected } of spec.volumes ?? [])
    if (projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined))
      throw admissionForbidden(request, 'a mirror pod may not use ServiceAccountToken volume projections');
}
