import type { StatefulSet, StatefulSetSpec } from '../../../src/model/generated/apps-v1.ts';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { isFinished } from '../../../src/reconcile/pods/pod-state.ts';
import {
  firstOrdinal,
  isHealthy,
  isOrdered,
  isTerminating,
  ordinalOf,
  replicasOf,
  revisionOf,
  wantsOrdinal,
} from '../../../src/workloads/stateful-sets/identity.ts';
import { observe } from '../../../src/workloads/stateful-sets/observed.ts';
import { type PodAction, plan } from '../../../src/workloads/stateful-sets/plan.ts';
import { saysSo, setStatus } from '../../../src/workloads/stateful-sets/status.ts';
import { NOW } from '../../reconcile/pods/pods.ts';
import { statefulSet, template } from './objects.ts';

/** A StatefulSet and its Pods in memory, on which the controller decides and kubelets act. */
export class SetWorld {
  now = NOW;
  set: StatefulSet;
  readonly pods = new Map<string, Pod>();
  /** What broke the rules. */
  readonly broken: string[] = [];
  #uids = 0;

  constructor(spec: StatefulSetSpec) {
    this.set = statefulSet(spec);
  }

  edit(spec: StatefulSetSpec): void {
    const { metadata } = this.set;
    this.set = {
      ...this.set,
      metadata: { ...metadata, generation: metadata!.generation! + 1 },
      spec: { ...this.set.spec, ...spec },
    };
  }

  /** The name of the present revision: that of the image. */
  get update(): string {
    return this.set.spec!.template!.spec!.containers![0]!.image!;
  }

  /** One reconcile. @returns whether it did anything */
  reconcile(): boolean {
    const currentName = this.set.status?.currentRevision ?? this.update;
    const revision = (name: string) => ({ name, template: template(name) });
    const [current, update] = [revision(currentName), revision(this.update)];
    const rounds = plan(
      observe({
        set: this.set,
        pods: [...this.pods.values()],
        current,
        update,
        findClaim: () => undefined,
        readsMaxUnavailable: false,
        now: this.now,
      }),
    );
    const actions = rounds.flat(2);
    for (const action of actions) this.#apply(action);
    const status = setStatus(
      this.set,
      [...this.pods.values()],
      { current: current.name, update: update.name, collisions: 0 },
      this.now,
    );
    const isWritten = saysSo(this.set, status);
    this.set = { ...this.set, status };
    return actions.length > 0 || !isWritten;
  }

  #apply({ does, pod }: PodAction): void {
    const name = pod.metadata!.name!;
    if (does === 'create') this.#create(name, pod);
    else if (does === 'delete') this.#delete(name, pod);
    else this.broken.push(`${does} ${name}, although it lacks nothing`);
  }

  #create(name: string, pod: Pod): void {
    if (this.pods.has(name)) this.broken.push(`${name} was created twice`);
    if (!wantsOrdinal(this.set, ordinalOf(pod))) this.broken.push(`${name} is not wanted`);
    if (isOrdered(this.set) && !this.#isHealthyBelow(ordinalOf(pod)))
      this.broken.push(`${name} was created before the Pods below it were healthy`);
    this.#uids += 1;
    this.pods.set(name, {
      ...pod,
      metadata: { ...pod.metadata, uid: `${this.#uids}` },
      status: { phase: 'Pending' },
    });
  }

  #isHealthyBelow(ordinal: number): boolean {
    for (let lower = firstOrdinal(this.set); lower < ordinal; lower += 1) {
      const pod = this.pods.get(`db-${lower}`);
      if (pod === undefined || !isHealthy(pod)) return false;
    }
    return true;
  }

  #delete(name: string, pod: Pod): void {
    const partition = this.set.spec!.updateStrategy!.rollingUpdate?.partition ?? 0;
    const isWanted = wantsOrdinal(this.set, ordinalOf(pod));
    const isUpdate = isWanted && !isFinished(pod);
    const others = [...this.pods.values()].filter((one) => one !== pod);
    if (isUpdate && revisionOf(pod) === this.update)
      this.broken.push(`${name} was replaced, although it is new`);
    if (isUpdate && ordinalOf(pod) - firstOrdinal(this.set) < partition)
      this.broken.push(`${name} is below the partition`);
    const waitsFor = isOrdered(this.set) ? others : this.#above(ordinalOf(pod));
    if (isUpdate && !waitsFor.every(isHealthy))
      this.broken.push(`${name} was replaced while another Pod was not healthy`);
    if (
      !isWanted &&
      isOrdered(this.set) &&
      others.some((one) => isTerminating(one) && ordinalOf(one) > ordinalOf(pod))
    )
      this.broken.push(`${name} was removed before one of a higher ordinal was gone`);
    this.pods.set(name, { ...pod, metadata: { ...pod.metadata, deletionTimestamp: formatTime(this.now) } });
  }

  /** The wanted Pods of higher ordinals, which are updated before. */
  #above(ordinal: number): Pod[] {
    return [...this.pods.values()].filter(
      (pod) => ordinalOf(pod) > ordinal && wantsOrdinal(this.set, ordinalOf(pod)),
    );
  }

  #change(index: number, pick: (pod: Pod) => boolean, change: (pod: Pod) => Pod | undefined): boolean {
    const pods = [...this.pods.values()].filter(pick);
    const pod = pods[index % Math.max(1, pods.length)];
    if (pod === undefined) return false;
    const changed = change(pod);
    if (changed === undefined) this.pods.delete(pod.metadata!.name!);
    else this.pods.set(pod.metadata!.name!, changed);
    return true;
  }

  /** A Pod becomes ready. */
  ready(index: number): boolean {
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(this.now) }] as never;
    return this.#change(
      index,
      (pod) => !isTerminating(pod) && !isFinished(pod) && !isHealthy(pod),
      (pod) => ({ ...pod, status: { phase: 'Running', conditions } }),
    );
  }

  /** A Pod stops to be ready. */
  unready(index: number): boolean {
    return this.#change(
      index,
      (pod) => !isFinished(pod),
      (pod) => ({ ...pod, status: { phase: 'Running' } }),
    );
  }

  fail(index: number): boolean {
    return this.#change(
      index,
      () => true,
      (pod) => ({ ...pod, status: { phase: 'Failed' } }),
    );
  }

  /** Somebody deletes a Pod that has failed and is not wanted: of several ones, an ordered set itself deletes none. */
  cleared(): boolean {
    return this.#change(
      0,
      (pod) => isFinished(pod) && !wantsOrdinal(this.set, ordinalOf(pod)),
      () => undefined,
    );
  }

  /** A Pod that is being deleted is gone. */
  gone(index: number): boolean {
    return this.#change(index, isTerminating, () => undefined);
  }

  /** Everything that can happen happens, until nothing does. @throws Error if that takes too long */
  settle(): void {
    let idle = 0;
    for (let round = 0; round < 2000 && idle < 2; round += 1) {
      const isChanged = [this.reconcile(), this.ready(0), this.gone(0), this.cleared()].some(Boolean);
      if (isChanged) {
        idle = 0;
        continue;
      }
      idle += 1;
      // What waits for a time.
      this.now += 3_600_000;
    }
    if (idle < 2) throw new Error('it does not settle');
  }

  get replicas(): number {
    return replicasOf(this.set);
  }
}
