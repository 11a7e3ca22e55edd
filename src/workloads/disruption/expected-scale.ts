import type { Deployment, ReplicaSet, StatefulSet } from '../../model/generated/apps-v1.ts';
import type { Pod, ReplicationController } from '../../model/generated/core-v1.ts';
import {
  groupResourceOf,
  type KubernetesObject,
  type OwnerReference,
  parseApiVersion,
} from '../../model/object.ts';
import type { ObjectSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import { controllerOf } from '../../reconcile/indexes.ts';
import { noMatches, readScale, type ServedKinds } from '../../reconcile/scale.ts';

export interface ScaleSources {
  readonly replicationControllers: ObjectSource;
  readonly replicaSets: ObjectSource;
  readonly deployments: ObjectSource;
  readonly statefulSets: ObjectSource;
  readonly client: Pick<Client, 'get'>;
  readonly kinds: ServedKinds;
}

/** What the controllers of Pods want. */
export interface ExpectedScale {
  readonly pods: number;
  /** Names of Pods that nothing controls. */
  readonly unmanaged: readonly string[];
}

/** An object that controls Pods, and how many it wants. */
interface Scaled {
  readonly uid: string;
  readonly replicas: number;
}

/**
 * The sum of the Pods that the controllers of some Pods want. Those of a Deployment count for its ReplicaSets.
 * @throws Error if the controller of a Pod is not found, or has no scale
 */
export async function expectedScale(sources: ScaleSources, pods: readonly Pod[]): Promise<ExpectedScale> {
  const scales = new Map<string, number>();
  const unmanaged: string[] = [];
  const seen = new Set<string>();
  for (const { metadata = {} } of pods) {
    const { namespace = '', name = '' } = metadata;
    const controller = controllerOf(metadata);
    if (controller === undefined) {
      unmanaged.push(name);
      continue;
    }
    if (seen.has(controller.uid)) continue;
    const scaled = await scaledBy(sources, controller, namespace);
    if (scaled === undefined) throw new Error(`found no controllers for pod "${name}"`);
    seen.add(controller.uid);
    scales.set(scaled.uid, scaled.replicas);
  }
  let sum = 0;
  for (const replicas of scales.values()) sum += replicas;
  return { pods: sum, unmanaged };
}

type WithReplicas = KubernetesObject & { readonly spec?: { readonly replicas?: number } };

/** An object that a reference names, if it is still the same one. */
function referred(
  source: ObjectSource,
  { name, uid }: OwnerReference,
  namespace: string,
): KubernetesObject | undefined {
  const object = source.get(`${namespace}/${name}`);
  return object?.metadata?.uid === uid ? object : undefined;
}

const scaleOf = (object: WithReplicas | undefined): Scaled | undefined =>
  object && { uid: object.metadata?.uid ?? '', replicas: object.spec?.replicas ?? 1 };

/** @throws Error if the version of a reference is none */
function groupVersionOf({ apiVersion }: OwnerReference): {
  readonly group: string;
  readonly version: string;
} {
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return parsed;
}

const groupOf = (reference: OwnerReference): string => groupVersionOf(reference).group;

const APPS = ['apps', 'extensions'];

async function scaledBy(
  sources: ScaleSources,
  controller: OwnerReference,
  namespace: string,
): Promise<Scaled | undefined> {
  const known = knownScale(sources, groupOf(controller), controller, namespace);
  return known ?? scaleSubresource(sources, controller, namespace);
}

/** The scale of a built-in kind, of what the server has read. */
function knownScale(
  { replicationControllers, replicaSets, deployments, statefulSets }: ScaleSources,
  group: string,
  controller: OwnerReference,
  namespace: string,
): Scaled | undefined {
  const find = (source: ObjectSource): KubernetesObject | undefined =>
    referred(source, controller, namespace);
  if (controller.kind === 'ReplicationController' && group === '')
    return scaleOf(find(replicationControllers) as ReplicationController | undefined);
  if (controller.kind === 'StatefulSet' && group === 'apps')
    return scaleOf(find(statefulSets) as StatefulSet | undefined);
  if (controller.kind !== 'ReplicaSet' || !APPS.includes(group)) return undefined;
  const set = find(replicaSets) as ReplicaSet | undefined;
  const owner = set && controllerOf(set.metadata ?? {});
  if (owner?.kind !== 'Deployment') return scaleOf(set);
  return APPS.includes(groupOf(owner))
    ? scaleOf(referred(deployments, owner, namespace) as Deployment | undefined)
    : undefined;
}

/** The scale of any other kind, asked for. @throws Error, ApiError */
async function scaleSubresource(
  { client, kinds }: ScaleSources,
  controller: OwnerReference,
  namespace: string,
): Promise<Scaled | undefined> {
  const { group, version } = groupVersionOf(controller);
  const kind = kinds.find(group, controller.kind).find((one) => one.version === version);
  if (kind === undefined) throw noMatches(group, controller.kind, version);
  const scale = await readScale(client, kind, namespace, controller.name);
  if (scale === undefined && kind.hasScale === false)
    throw new Error(`${groupResourceOf(kind.group, kind.resource)} does not implement the scale subresource`);
  if (scale?.metadata?.uid !== controller.uid) return undefined;
  return { uid: controller.uid, replicas: scale.spec?.replicas ?? 0 };
}
