import type { Deployment, ReplicaSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { IndexedSource, SourceObject } from '../../reader/object-source.ts';
import { claim } from '../../reconcile/claims.ts';
import type { Client } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { BY_CONTROLLER, controllerOf } from '../../reconcile/indexes.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { candidates, followOwned } from '../../reconcile/owned.ts';
import { DEPLOYMENTS, PODS, REPLICA_SETS } from '../../reconcile/resources.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { ApiError } from '../../status/index.ts';
import { decide } from './decide.ts';
import { DeploymentExecutor } from './executor.ts';

export interface DeploymentSettings {
  /** Deployments at the same time. */
  readonly workers: number;
  /** Whether statuses count the Pods that terminate. */
  readonly countsTerminating: boolean;
}

/** Rolls out the template of each Deployment by ReplicaSets. */
export function deploymentController(
  parts: NamedContext,
  { workers, countsTerminating }: DeploymentSettings,
): Controller {
  const deployments = parts.objects(DEPLOYMENTS);
  const sets = parts.objects(REPLICA_SETS);
  const pods = parts.objects(PODS);
  const client = parts.client(parts.user);
  const executor = new DeploymentExecutor({
    client: client.writer(),
    events: parts.events('deployment-controller'),
    sets,
    now: parts.clusterClock.now,
  });
  const writes = new OwnWrites([deployments, sets]);

  const reconcile = async (key: string): Promise<WorkResult> => {
    const deployment = deployments.get(key) as Deployment | undefined;
    if (deployment === undefined || !isManaged(deployment.metadata ?? {})) return 'done';
    const { actions, again } = decide({
      deployment,
      sets: await claimSets(client, sets, deployment),
      podsOf: (set) => podsOf(pods, set),
      countsTerminating,
      now: parts.clusterClock.now(),
    });
    try {
      for (const action of actions) await executor.execute(deployment, action);
    } catch (error) {
      // What was decided on has changed meanwhile.
      if (error instanceof ApiError && error.reason === 'Conflict') return 'requeue';
      throw error;
    }
    if (again !== undefined) queue.addAfter(key, again);
    return 'done';
  };
  const queue: WorkQueue = workloadQueue(parts, (key) => writes.follow(key, () => reconcile(key)), workers);

  deployments.onChange((key, deployment) => {
    if (deployment !== undefined) queue.add(key);
  });
  followOwned({
    owners: deployments,
    kind: DEPLOYMENTS.kind,
    owned: sets,
    selects: ({ object }, metadata) => selects(object, metadata),
    changed: (key) => queue.add(key),
  });
  pods.onChange((_key, pod, previous) => {
    if (pod !== undefined) return;
    const key = waitingDeployment(deployments, sets, previous!);
    if (key !== undefined) queue.add(key);
  });
  return { name: parts.name, sources: [deployments, sets, pods], queue };
}

const selects = ({ spec }: Deployment, { labels }: ObjectMeta): boolean =>
  labelSelectorMatches(spec?.selector, labels);

const podsOf = (pods: IndexedSource, { metadata }: ReplicaSet): readonly Pod[] =>
  Array.from(pods.find(BY_CONTROLLER, metadata?.uid ?? ''), ([, { object }]) => object as Pod);

function claimSets(
  client: Client,
  sets: IndexedSource,
  deployment: Deployment,
): Promise<readonly ReplicaSet[]> {
  return claim(
    {
      client,
      owner: { resource: DEPLOYMENTS, object: deployment },
      resource: REPLICA_SETS,
      selects: (metadata) => selects(deployment, metadata),
    },
    Array.from(candidates(sets, deployment), ({ object }) => object as ReplicaSet),
  );
}

/** The key of the Deployment that waits for the end of a Pod: one that is recreated. */
function waitingDeployment(
  deployments: IndexedSource,
  sets: IndexedSource,
  pod: SourceObject,
): string | undefined {
  const { namespace = '', ...metadata } = pod.metadata();
  const owner = controllerOf(metadata);
  const set = owner?.kind === REPLICA_SETS.kind ? sets.get(`${namespace}/${owner.name}`) : undefined;
  const deployment = set?.metadata && controllerOf(set.metadata);
  if (deployment?.kind !== DEPLOYMENTS.kind) return undefined;
  const key = `${namespace}/${deployment.name}`;
  const { spec } = (deployments.get(key) as Deployment | undefined) ?? {};
  return spec?.strategy?.type === 'Recreate' ? key : undefined;
}
