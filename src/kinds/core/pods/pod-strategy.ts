import type { Pod } from '../../../model/generated/core-v1.ts';
import { nameIsSubdomain } from '../../../model/name-syntax.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { roundResourceList } from '../../validation/quantities.ts';
import { syncAppArmorProfiles } from './apparmor.ts';
import { dropDisabledPodSpecFields, dropDisabledPodStatusFields } from './drop-disabled-fields.ts';
import { expandAffinityLabelKeys } from './pod-affinity-keys.ts';
import { isResized, resizedSpec, validateResize } from './pod-resize.ts';
import {
  dropInitContainerAnnotations,
  setPodOnlyDefaults,
  setPodSpecDefaults,
  setResizePolicies,
  syncServiceAccount,
} from './pod-spec-defaults.ts';
import { validatePodStatusUpdate } from './pod-status-validation.ts';
import { validateEphemeralContainersUpdate, validatePodUpdate } from './pod-update-validation.ts';
import { validatePod } from './pod-validation.ts';
import { podWarnings } from './pod-warnings.ts';
import { qualityOfService } from './quality-of-service.ts';
import { setGatedCondition } from './scheduling-gates.ts';

const asPod = (object: KubernetesObject): Pod => object as Pod;

function setPodDefaults(object: KubernetesObject): void {
  const pod = asPod(object);
  pod.spec ??= {};
  dropInitContainerAnnotations(pod.metadata);
  setPodSpecDefaults(pod.spec);
  setPodOnlyDefaults(pod.spec);
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

/** The metadata of a subresource that writes a part of the specification: only the identity is the client's. */
function metadataOfPart(metadata: Pod['metadata'], old: Pod['metadata']): Pod['metadata'] {
  const { name, namespace, uid, resourceVersion } = metadata ?? {};
  return { ...old, name, namespace, uid, resourceVersion };
}

/** Copies the old status, without fields of disabled features. */
function statusWithoutDisabledFields({ status, spec }: Pod, context: StrategyContext): Pod['status'] {
  const copy = status === undefined ? undefined : structuredClone(status);
  dropDisabledPodStatusFields(copy, spec, context);
  return copy;
}

/** The feature gate of resizing pods in place. */
export const IN_PLACE_RESIZE = 'InPlacePodVerticalScaling';

export const podStrategy: Strategy = {
  metadata: {
    validateName: nameIsSubdomain,
    checks: {
      update: ['change', 'whole'],
      through: { binding: ['change', 'whole'], ephemeralcontainers: ['change', 'whole'], resize: ['whole'] },
    },
  },
  defaulting: { byVersion: { v1: setPodDefaults } },
  status: { keptOnCreate: true },
  dropDisabledFields(object, old, context) {
    // A status update stores the status as reported; later updates of the pod drop its disabled fields. A
    // resize drops them from what it keeps.
    if (context.subresource !== 'status' && context.subresource !== 'resize')
      dropDisabledPodSpecFields(asPod(object).spec, old && asPod(old).spec, context);
  },
  prepareForCreate(object, context) {
    const pod = asPod(object);
    pod.spec ??= {};
    // A class that the client sets is kept, as in kube-apiserver.
    pod.status = { phase: 'Pending', qosClass: pod.status?.qosClass || qualityOfService(pod.spec) };
    setGatedCondition(pod, context.now());
    expandAffinityLabelKeys(pod);
    syncAppArmorProfiles(pod, (text) => context.warn?.(text));
  },
  prepareForUpdate(object, old, context) {
    asPod(object).status = statusWithoutDisabledFields(asPod(old), context);
  },
  prepareForSubresource: {
    status(object, old) {
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
    },
    ephemeralcontainers(object, old, context) {
      const { metadata, spec } = asPod(object);
      const oldPod = asPod(old);
      Object.assign(object, {
        metadata: metadataOfPart(metadata, oldPod.metadata),
        spec: { ...oldPod.spec, ephemeralContainers: spec?.ephemeralContainers },
        status: statusWithoutDisabledFields(oldPod, context),
      });
    },
    resize(object, old, context) {
      const pod = asPod(object);
      const oldPod = asPod(old);
      Object.assign(pod, {
        metadata: metadataOfPart(pod.metadata, oldPod.metadata),
        spec: resizedSpec(pod.spec ?? {}, oldPod.spec ?? {}),
        status: statusWithoutDisabledFields(oldPod, context),
      });
      if (isResized(pod.spec!, oldPod.spec ?? {})) pod.status = { ...pod.status, resize: 'Proposed' };
      dropDisabledPodSpecFields(pod.spec, oldPod.spec, context);
    },
  },
  resetFields: { status: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']] },
  validate: (object, context) => validatePod(asPod(object), context),
  validateUpdate: (object, old, context) => validatePodUpdate(asPod(object), asPod(old), context),
  validateSubresource: {
    status: (object, old) => validatePodStatusUpdate(asPod(object), asPod(old)),
    ephemeralcontainers: (object, old, context) =>
      validateEphemeralContainersUpdate(asPod(object), asPod(old), context),
    resize: (object, old, context) => validateResize(asPod(object), asPod(old), context),
  },
  canonicalize: (object) => syncServiceAccount(asPod(object).spec ?? {}),
  // As in kube-apiserver, updates have no warnings.
  warnings: (object, old) => (old === undefined ? podWarnings(asPod(object)) : []),
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
};

/** The strategy with the feature gate {@link IN_PLACE_RESIZE}. */
export const resizablePodStrategy: Strategy = {
  ...podStrategy,
  defaulting: {
    // Requests that admission adds get their resize policies when the stored pod is read.
    creationOmitsDefaults: true,
    byVersion: {
      v1(object) {
        setPodDefaults(object);
        setResizePolicies(asPod(object).spec!);
      },
    },
  },
};
