import type { Pod } from '../../model/generated/core-v1.ts';
import type { ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import type { ObjectIndex, SourceObject } from '../../reader/object-source.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import type { DeviceResources } from '../../reconcile/devices.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { PODS } from '../../reconcile/resources.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { ClaimReconciler } from './claims.ts';
import { isDone, usedClaims } from './pod-claims.ts';
import { PodReconciler } from './pods.ts';

/** Prefixes of keys. */
const CLAIM = 'claim:';
const POD = 'pod:';

/** As in the reference. */
const WORKERS = 10;

const BY_CLAIM: ObjectIndex = (object) => {
  const pod = object.peek() as Pod;
  return usedClaims(pod).map((name) => `${pod.metadata?.namespace}/${name}`);
};

const BY_TEMPLATE: ObjectIndex = (object) => {
  const { metadata, spec } = object.peek() as Pod;
  return (spec?.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) =>
    name === undefined ? [] : [`${metadata?.namespace}/${name}`],
  );
};

/**
 * Makes the resource claims that Pods ask for by templates, and frees claims that no Pod uses any more.
 * @param allowsAdminAccess requests may use devices that others have
 */
export function resourceClaimController(
  parts: NamedContext,
  resources: DeviceResources,
  allowsAdminAccess: boolean,
): Controller {
  const pods = parts.objects(PODS);
  const claims = parts.objects(resources.claims);
  const templates = parts.objects(resources.templates);
  const client = parts.client(parts.user);
  const events = parts.events('resource_claim');
  const writes = new OwnWrites([pods, claims]);
  const podReconciler = new PodReconciler({
    resource: resources.claims,
    claims,
    templates,
    client,
    allowsAdminAccess,
    failed: (pod, message) => events.record(PODS, pod, 'Warning', 'FailedResourceClaimCreation', message),
  });
  const claimReconciler = new ClaimReconciler({ resource: resources.claims, pods, client });

  const reconcile = async (key: string): Promise<WorkResult> => {
    if (key.startsWith(CLAIM)) {
      const claim = claims.get(key.slice(CLAIM.length)) as ResourceClaim | undefined;
      if (claim !== undefined && isManaged(claim.metadata ?? {})) await claimReconciler.reconcile(claim);
      return 'done';
    }
    const pod = pods.get(key.slice(POD.length)) as Pod | undefined;
    const isLive = pod !== undefined && pod.metadata?.deletionTimestamp === undefined;
    if (isLive && isManaged(pod.metadata ?? {})) await podReconciler.reconcile(pod);
    return 'done';
  };

  const queue: WorkQueue = workloadQueue(parts, (key) => writes.follow(key, () => reconcile(key)), WORKERS);
  const addClaims = (pod: SourceObject): void => {
    for (const key of BY_CLAIM(pod)) queue.add(CLAIM + key);
  };
  pods.onChange((key, current, previous) => {
    const pod = (current ?? previous)!.peek() as Pod;
    if ((pod.spec?.resourceClaims ?? []).length === 0) return;
    if (current === undefined || isDone(pod)) addClaims((current ?? previous)!);
    if (current !== undefined) queue.add(POD + key);
  });
  claims.onChange((key, current) => {
    if (current !== undefined) queue.add(CLAIM + key);
    for (const [pod] of pods.find(BY_CLAIM, key)) queue.add(POD + pod);
  });
  templates.onChange((key, current) => {
    if (current !== undefined) for (const [pod] of pods.find(BY_TEMPLATE, key)) queue.add(POD + pod);
  });
  return { name: parts.name, sources: [pods, claims, templates], queue };
}
