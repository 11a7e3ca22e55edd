import type { Pod, PodStatus } from '../../../model/generated/core-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import type { Life } from '../../../model/life.ts';
import { nameIsSubdomain } from '../../../model/name-syntax.ts';
import { type KubernetesObject, nextGeneration } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { roundResourceList } from '../../validation/quantities.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { syncAppArmorProfiles } from './apparmor.ts';
import { dropDisabledPodSpecFields, dropDisabledPodStatusFields } from './drop-disabled-fields.ts';
import { expandAffinityLabelKeys, expandSpreadLabelKeys } from './pod-affinity-keys.ts';
import {
  isResized,
  PROPOSES_RESIZES,
  RESIZES_SAME_CONTAINERS,
  resizedSpec,
  validateResize,
} from './pod-resize.ts';
import {
  defaultsResizePolicies,
  dropInitContainerAnnotations,
  setPodOnlyDefaults,
  setPodSpecDefaults,
  syncServiceAccount,
} from './pod-spec-defaults.ts';
import { validatePodStatusUpdate } from './pod-status-validation.ts';
import { validateEphemeralContainersUpdate, validatePodUpdate } from './pod-update-validation.ts';
import { validatePod } from './pod-validation.ts';
import { podAddressWarnings, podWarnings } from './pod-warnings.ts';
import { qualityOfService } from './quality-of-service.ts';
import { setGatedCondition } from './scheduling-gates.ts';
import { MATCH_LABEL_KEYS, MERGED_SELECTORS } from './scheduling-validation.ts';

const asPod = (object: KubernetesObject): Pod => object as Pod;

function setPodDefaults(object: KubernetesObject, context: RuleContext): void {
  const pod = asPod(object);
  pod.spec ??= {};
  dropInitContainerAnnotations(pod.metadata);
  setPodSpecDefaults(pod.spec);
  setPodOnlyDefaults(pod.spec, context);
  // A negative grace period becomes one second; templates keep it.
  if (pod.spec.terminationGracePeriodSeconds! < 0) pod.spec.terminationGracePeriodSeconds = 1;
  syncPodAddresses(pod);
  roundStatusResources(pod);
}

function roundStatusResources({ status = {} }: Pod): void {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  for (const container of [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses]) {
    roundResourceList(container.allocatedResources);
    roundResourceList(container.resources?.limits);
    roundResourceList(container.resources?.requests);
  }
}

/** Mirrors `podIP` and the first of `podIPs`; `podIP` takes precedence. */
function syncPodAddresses({ status }: Pod): void {
  if (status === undefined) return;
  const first = status.podIPs?.[0]?.ip;
  if (status.podIP && first !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  else if (first) status.podIP = first;
}

/** The releases that count the generations of pods. */
const COUNTS_GENERATIONS: Life = { since: '1.33' };
/** The releases that record who owns what other subresources than the status write. */
const TRACKS_PARTS: Life = { since: '1.33' };

/**
 * The metadata of a subresource that writes a part of the specification: only the identity is the client's, and the
 * record of owners where there is one.
 */
function metadataOfPart(
  { name, namespace, uid, resourceVersion, managedFields }: NonNullable<Pod['metadata']> = {},
  old: Pod['metadata'],
  { has }: RuleContext,
): Pod['metadata'] {
  const metadata = { ...old, name, namespace, uid, resourceVersion };
  return has(TRACKS_PARTS) ? { ...metadata, managedFields } : metadata;
}

/** Copies the old status, without fields of disabled features. */
function statusWithoutDisabledFields(old: Pod, context: StrategyContext): Pod['status'] {
  const copy = old.status === undefined ? undefined : structuredClone(old.status);
  dropDisabledPodStatusFields(copy, old, context);
  return copy;
}

/** Counts another generation if the specification changes. */
function countGeneration(pod: Pod, old: Pod, { has }: RuleContext): void {
  if (!has(COUNTS_GENERATIONS)) return;
  if (semanticEqual(pod.spec, old.spec, internalTypes.type('core_v1.PodSpec'))) return;
  pod.metadata = { ...pod.metadata, generation: nextGeneration(old.metadata?.generation) };
}

/** What subresources write, all that their managers can own. */
const WRITTEN_FIELDS = {
  ephemeralcontainers: [['spec', 'ephemeralContainers']],
  resize: (['containers', 'initContainers'] as const).flatMap((list) =>
    ['resources', 'resizePolicy'].map((member) => ['spec', list, '*', member]),
  ),
};

/** Keeps the generations that a client of an older release does not report. */
function keepObservedGenerations(status: PodStatus, old: PodStatus = {}): void {
  if (!status.observedGeneration && old.observedGeneration)
    status.observedGeneration = old.observedGeneration;
  // Types can be repeated: the first condition of a type is the first of the old ones.
  const known = [...(old.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    const index = known.findIndex(({ type = '' }) => type === (condition.type ?? ''));
    const [found] = index < 0 ? [] : known.splice(index, 1);
    if (!condition.observedGeneration && found?.observedGeneration)
      condition.observedGeneration = found.observedGeneration;
  }
}

/** Returns the strategy of pods. */
export const createPodStrategy = (server: RuleContext): Strategy => ({
  metadata: {
    validateName: nameIsSubdomain,
    checks: {
      update: ['change', 'whole'],
      through: {
        binding: ['change', 'whole'],
        ephemeralcontainers: ['change', 'whole'],
        resize: server.has(RESIZES_SAME_CONTAINERS) ? ['change', 'whole'] : ['whole'],
      },
    },
  },
  defaulting: {
    byVersion: { v1: (object) => setPodDefaults(object, server) },
    // Requests that admission adds get their resize policies when the stored pod is read.
    creationOmitsDefaults: defaultsResizePolicies(server),
  },
  status: { keptOnCreate: true },
  dropDisabledFields(object, old, context) {
    // What a status update reports is dropped when it is prepared, or by later updates of the pod. A resize drops
    // disabled fields from what it keeps.
    if (context.subresource !== 'status' && context.subresource !== 'resize')
      dropDisabledPodSpecFields(asPod(object).spec, old && asPod(old).spec, context);
  },
  prepareForCreate(object, context) {
    const pod = asPod(object);
    pod.spec ??= {};
    // A class that the client sets is kept, as in kube-apiserver.
    pod.status = { phase: 'Pending', qosClass: pod.status?.qosClass || qualityOfService(pod.spec, context) };
    if (context.has(COUNTS_GENERATIONS)) pod.metadata = { ...pod.metadata, generation: 1 };
    setGatedCondition(pod, context.now());
    expandAffinityLabelKeys(pod);
    if (context.isOn(MATCH_LABEL_KEYS) && context.isOn(MERGED_SELECTORS)) expandSpreadLabelKeys(pod);
    syncAppArmorProfiles(pod, context);
  },
  prepareForUpdate(object, old, context) {
    asPod(object).status = statusWithoutDisabledFields(asPod(old), context);
    countGeneration(asPod(object), asPod(old), context);
  },
  prepareForSubresource: {
    status(object, old, context) {
      const pod = asPod(object);
      const oldPod = asPod(old);
      pod.spec = oldPod.spec;
      pod.metadata = {
        ...pod.metadata,
        ownerReferences: oldPod.metadata?.ownerReferences,
        deletionTimestamp: oldPod.metadata?.deletionTimestamp,
      } as Pod['metadata'];
      // Old kubelets omit the QoS class.
      pod.status = { ...pod.status, qosClass: pod.status?.qosClass || oldPod.status?.qosClass };
      if (!context.has(COUNTS_GENERATIONS)) return;
      keepObservedGenerations(pod.status, oldPod.status);
      dropDisabledPodStatusFields(pod.status, oldPod, context);
    },
    ephemeralcontainers(object, old, context) {
      const { metadata, spec } = asPod(object);
      const oldPod = asPod(old);
      Object.assign(object, {
        metadata: metadataOfPart(metadata, oldPod.metadata, context),
        spec: { ...oldPod.spec, ephemeralContainers: spec?.ephemeralContainers },
        status: statusWithoutDisabledFields(oldPod, context),
      });
      countGeneration(asPod(object), oldPod, context);
    },
    resize(object, old, context) {
      const pod = asPod(object);
      const oldPod = asPod(old);
      const spec = resizedSpec(pod.spec ?? {}, oldPod.spec ?? {}, context);
      // Validation refuses a pod with other containers, which is compared as it was sent.
      if (spec === undefined) return;
      Object.assign(pod, {
        metadata: metadataOfPart(pod.metadata, oldPod.metadata, context),
        spec,
        status: statusWithoutDisabledFields(oldPod, context),
      });
      if (context.has(PROPOSES_RESIZES) && isResized(spec, oldPod.spec ?? {}))
        pod.status = { ...pod.status, resize: 'Proposed' };
      dropDisabledPodSpecFields(pod.spec, oldPod.spec, context);
      countGeneration(pod, oldPod, context);
    },
  },
  resetFields: { status: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']] },
  ...(server.has(TRACKS_PARTS) ? { writtenFields: WRITTEN_FIELDS } : {}),
  validate: (object, context) => validatePod(asPod(object), context),
  validateUpdate: (object, old, context) => validatePodUpdate(asPod(object), asPod(old), context),
  validateSubresource: {
    status: (object, old, context) => validatePodStatusUpdate(asPod(object), asPod(old), context),
    ephemeralcontainers: (object, old, context) =>
      validateEphemeralContainersUpdate(asPod(object), asPod(old), context),
    resize: (object, old, context) => validateResize(asPod(object), asPod(old), context),
  },
  canonicalize: (object) => syncServiceAccount(asPod(object).spec ?? {}),
  // As in kube-apiserver, updates have no warnings, except those of the status.
  warnings: (object, old, context) => (old === undefined ? podWarnings(asPod(object), context) : []),
  subresourceWarnings: { status: (object, context) => podAddressWarnings(asPod(object), context) },
  deletion: {
    returnsObject: true,
    gracePeriodSeconds(object, requested) {
      const { spec, status } = asPod(object);
      // The pod is not running, so it is deleted at once.
      if (!spec?.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
      const period = Number(requested ?? spec.terminationGracePeriodSeconds ?? 0);
      return period < 0 ? 1 : period;
    },
  },
});
