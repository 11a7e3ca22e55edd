import type { Deployment, DeploymentSpec, ReplicaSet } from '../../../src/model/generated/apps-v1.ts';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { isActive, isAvailable } from '../../../src/reconcile/pods/pod-state.ts';
import type { Action } from '../../../src/workloads/deployments/actions.ts';
import { decide } from '../../../src/workloads/deployments/decide.ts';
import { boundsOf, wanted } from '../../../src/workloads/deployments/replica-sets.ts';
import { REPLICA_SET } from '../../../src/workloads/replica-sets/kinds.ts';
import { planReplicas } from '../../../src/workloads/replica-sets/plan.ts';
import { replicaStatus } from '../../../src/workloads/replica-sets/status.ts';
import { NOW } from '../../reconcile/pods/pods.ts';
import { deployment } from './objects.ts';

/** A Deployment, its ReplicaSets and Pods in memory, on which the controllers decide and kubelets act. */
export class World {
  now = NOW;
  deployment: Deployment;
  readonly sets = new Map<string, ReplicaSet>();
  readonly pods = new Map<string, Pod & { set: string }>();
  /** What broke the bounds. */
  readonly broken: string[] = [];
  #names = 0;

  constructor(spec: DeploymentSpec) {
    this.deployment = deployment(spec);
  }

  edit(spec: DeploymentSpec): void {
    const { metadata } = this.deployment;
    this.deployment = {
      ...this.deployment,
      metadata: { ...metadata, generation: (metadata!.generation ?? 0) + 1 },
      spec: { ...this.deployment.spec, ...spec },
    };
  }

  get active(): Pod[] {
    return [...this.pods.values()].filter(isActive);
  }

  get available(): number {
    return this.active.filter((pod) => isAvailable(pod, this.deployment.spec!.minReadySeconds ?? 0, this.now))
      .length;
  }

  podsOf(set: string): Pod[] {
    return [...this.pods.values()].filter((pod) => pod.set === set);
  }

  /** One reconcile of the Deployment. @returns whether it did anything */
  decide(): boolean {
    const { actions } = decide({
      deployment: this.deployment,
      sets: [...this.sets.values()],
      podsOf: ({ metadata }) => this.podsOf(metadata!.name!),
      now: this.now,
    });
    for (const action of actions) this.#apply(action);
    return actions.some(({ does }) => does !== 'report');
  }

  #apply(action: Action): void {
    if (action.does === 'status') this.deployment = action.deployment;
    else if (action.does === 'delete') this.sets.delete(action.set.metadata!.name!);
    else if (action.does === 'update' || action.does === 'create') {
      const { metadata, spec } = action.set;
      const stored = this.sets.get(metadata!.name!);
      this.sets.set(metadata!.name!, {
        ...stored,
        spec: spec!,
        metadata: {
          ...metadata,
          uid: metadata!.name!,
          generation: (stored?.metadata?.generation ?? 0) + 1,
          creationTimestamp: stored?.metadata?.creationTimestamp ?? formatTime(this.now),
        },
      });
      if (action.does === 'create') this.deployment = action.deployment;
    }
  }

  /** One reconcile of a ReplicaSet. @returns whether it did anything */
  replicate(name: string): boolean {
    const set = this.sets.get(name);
    if (set === undefined) return false;
    const replication = REPLICA_SET.read(set);
    const own = this.podsOf(name).filter(isActive);
    const plan = planReplicas(own, replication.replicas, () => own, this.now);
    if (plan.does === 'create') for (let count = plan.count; count > 0; count -= 1) this.#createPod(set);
    if (plan.does === 'delete') for (const pod of plan.pods) this.#deletePod(pod);
    const present = this.podsOf(name).filter(isActive);
    const status = replicaStatus(
      replication,
      set.metadata!.generation!,
      { active: present },
      undefined,
      this.now,
    );
    const isWritten = JSON.stringify(status) === JSON.stringify(set.status);
    this.sets.set(name, { ...set, status });
    return plan.does !== 'nothing' || !isWritten;
  }

  #createPod(set: ReplicaSet): void {
    this.#names += 1;
    const name = `p${this.#names}`;
    this.pods.set(name, {
      set: set.metadata!.name!,
      metadata: {
        name,
        uid: name,
        labels: set.spec!.template!.metadata!.labels!,
        creationTimestamp: formatTime(this.now),
      },
      spec: { containers: [], nodeName: 'n' },
      status: { phase: 'Pending' },
    });
    const most = wanted(this.deployment) + boundsOf(this.deployment).surge;
    if (this.active.length > Math.max(most, this.#most))
      this.broken.push(`${this.active.length} Pods, not ${most}`);
  }

  /** Pods that were permitted when the Deployment was last at rest. */
  #most = 0;

  /** The bounds count from here: what is there was permitted. */
  permit(): void {
    this.#most = this.active.length;
  }

  #deletePod(pod: Pod): void {
    const isCounted = isAvailable(pod, this.deployment.spec!.minReadySeconds ?? 0, this.now);
    const least = wanted(this.deployment) - boundsOf(this.deployment).unavailable;
    const isRecreated = this.deployment.spec!.strategy!.type === 'Recreate';
    if (isCounted && !isRecreated && this.available - 1 < least)
      this.broken.push(`an available Pod of ${this.available} was deleted, at least ${least} are to stay`);
    this.pods.delete(pod.metadata!.name!);
  }

  #change(index: number, pick: (pod: Pod) => boolean, status: (pod: Pod) => Pod['status']): boolean {
    const pods = [...this.pods.values()].filter((pod) => isActive(pod) && pick(pod));
    const pod = pods[index % Math.max(1, pods.length)];
    if (pod === undefined) return false;
    this.pods.set(pod.metadata!.name!, { ...pod, status: status(pod)! });
    return true;
  }

  /** A Pod that is not ready becomes ready. */
  ready(index: number): boolean {
    const lastTransitionTime = formatTime(this.now);
    return this.#change(
      index,
      (pod) => pod.status?.conditions === undefined,
      () => ({
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] as never,
      }),
    );
  }

  /** A Pod stops to be ready. */
  unready(index: number): boolean {
    return this.#change(
      index,
      () => true,
      () => ({ phase: 'Running' }),
    );
  }

  /** A Pod fails for good. */
  fail(index: number): boolean {
    return this.#change(
      index,
      () => true,
      () => ({ phase: 'Failed' }),
    );
  }

  /** Everything that can happen happens, until nothing does. @throws Error if that takes too long */
  settle(): void {
    let isIdle = false;
    for (let round = 0; round < 1000; round += 1) {
      const sets = [...this.sets.keys()].map((name) => this.replicate(name));
      const ready = this.ready(0);
      const wasIdle = isIdle;
      isIdle = !this.decide() && !ready && !sets.some(Boolean);
      if (isIdle && wasIdle) return;
      // What waits for a time.
      if (isIdle) this.now += 3_600_000;
    }
    throw new Error('it does not settle');
  }
}
