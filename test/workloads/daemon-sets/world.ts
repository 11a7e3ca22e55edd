import type { DaemonSet, DaemonSetSpec } from '../../../src/model/generated/apps-v1.ts';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { isFinished } from '../../../src/reconcile/pods/pod-state.ts';
import { boundsOf } from '../../../src/workloads/daemon-sets/bounds.ts';
import { daemonPod } from '../../../src/workloads/daemon-sets/daemon-pods.ts';
import { FailedPods } from '../../../src/workloads/daemon-sets/failed-pods.ts';
import { isTerminating, type ObservedDaemons, observe } from '../../../src/workloads/daemon-sets/observed.ts';
import { placePods } from '../../../src/workloads/daemon-sets/place.ts';
import type { NodePlace } from '../../../src/workloads/daemon-sets/placement.ts';
import { type DaemonPlan, plan } from '../../../src/workloads/daemon-sets/plan.ts';
import { daemonStatus } from '../../../src/workloads/daemon-sets/status.ts';
import { NOW } from '../../reconcile/pods/pods.ts';
import { daemonSet } from './objects.ts';

/** A DaemonSet, nodes and Pods in memory, on which the controller decides, and scheduler and kubelets act. */
export class DaemonWorld {
  now = NOW;
  set: DaemonSet;
  readonly nodes = new Map<string, NodePlace>();
  readonly pods = new Map<string, Pod>();
  /** What broke the bounds. */
  readonly broken: string[] = [];
  readonly #failed = new FailedPods(() => this.now);
  #names = 0;

  constructor(spec: DaemonSetSpec) {
    this.set = daemonSet(spec);
  }

  edit(spec: DaemonSetSpec): void {
    this.set = { ...this.set, spec: { ...this.set.spec, ...spec } };
  }

  /** The hash of the present template: its image. */
  get hash(): string {
    return this.set.spec!.template!.spec!.containers![0]!.image!;
  }

  observe(): ObservedDaemons {
    return observe({
      daemonSet: this.set,
      hash: this.hash,
      nodes: this.nodes.values(),
      pods: [...this.pods.values()],
      untilReplaced: (node) => this.#failed.untilReplaced(node),
      now: this.now,
    });
  }

  /** One reconcile. @returns whether it did anything */
  reconcile(): boolean {
    const observed = this.observe();
    const planned = plan(observed);
    const placed = placePods(observed);
    if (placed.create.length === 0 && placed.delete.length === 0) this.#checkUpdate(observed, planned);
    else this.#checkPlaces(observed, planned);
    for (const node of planned.failed) this.#failed.replaced(node);
    for (const node of planned.create) this.#create(node);
    for (const { metadata } of planned.delete) this.#delete(metadata!.name!);
    const status = daemonStatus(this.observe());
    const isWritten = JSON.stringify(status) === JSON.stringify(this.set.status);
    this.set = { ...this.set, status };
    return planned.create.length + planned.delete.length > 0 || !isWritten;
  }

  #checkPlaces({ placements, byNode }: ObservedDaemons, { create }: DaemonPlan): void {
    for (const node of create) {
      if (!placements.get(node)?.runs) this.broken.push(`${node} is not to have a Pod`);
      if ((byNode.get(node) ?? []).some((pod) => !isTerminating(pod) && !isFinished(pod)))
        this.broken.push(`${node} has a Pod`);
    }
  }

  #checkUpdate(observed: ObservedDaemons, planned: DaemonPlan): void {
    const { byNode, placements, desired, isAvailable, isUpdated } = observed;
    const { unavailable, surge } = boundsOf(this.set, desired);
    const deleted = new Set(planned.delete);
    const available = (node: string, without: ReadonlySet<Pod>): boolean =>
      (byNode.get(node) ?? []).some((pod) => !isTerminating(pod) && !without.has(pod) && isAvailable(pod));
    const missing = (without: ReadonlySet<Pod>): number =>
      [...placements].filter(([node, { runs }]) => runs && !available(node, without)).length;
    const [before, after] = [missing(new Set()), missing(deleted)];
    if (after > Math.max(before, unavailable))
      this.broken.push(`${after} nodes lose their Pods, ${unavailable} may`);
    if (planned.delete.some(isUpdated)) this.broken.push('a Pod of the present template was deleted');
    const isDoubled = (node: string): boolean => {
      const present = (byNode.get(node) ?? []).filter((pod) => !isTerminating(pod));
      return (
        present.length + (planned.create.includes(node) ? 1 : 0) > 1 &&
        present.some((pod) => isAvailable(pod) && !isUpdated(pod))
      );
    };
    if (planned.create.some(isDoubled) && [...placements.keys()].filter(isDoubled).length > surge)
      this.broken.push(`more than ${surge} nodes have two Pods`);
  }

  #create(node: string): void {
    this.#names += 1;
    const name = `p${this.#names}`;
    const pod = daemonPod(this.set, this.hash, node);
    const metadata = { ...pod.metadata, name, uid: name, creationTimestamp: formatTime(this.now) };
    this.pods.set(name, { ...pod, metadata, status: { phase: 'Pending' } });
  }

  #delete(name: string): void {
    const pod = this.pods.get(name)!;
    if (!pod.spec?.nodeName) this.pods.delete(name);
    else
      this.pods.set(name, { ...pod, metadata: { ...pod.metadata, deletionTimestamp: formatTime(this.now) } });
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

  /** A Pod is bound to its node and becomes ready. */
  ready(index: number): boolean {
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(this.now) }] as never;
    return this.#change(
      index,
      (pod) =>
        !isTerminating(pod) &&
        !isFinished(pod) &&
        pod.status?.conditions === undefined &&
        this.nodes.has(nodeOf(pod)),
      (pod) => ({
        ...pod,
        spec: { ...pod.spec, nodeName: nodeOf(pod) },
        status: { phase: 'Running', conditions },
      }),
    );
  }

  unready(index: number): boolean {
    return this.#change(
      index,
      (pod) => Boolean(pod.spec?.nodeName) && !isFinished(pod),
      (pod) => ({ ...pod, status: { phase: 'Running' } }),
    );
  }

  fail(index: number): boolean {
    return this.#change(
      index,
      (pod) => Boolean(pod.spec?.nodeName),
      (pod) => ({ ...pod, status: { phase: 'Failed' } }),
    );
  }

  /** A Pod that is being deleted is gone, or one whose node is. */
  gone(index: number): boolean {
    return this.#change(
      index,
      (pod) => isTerminating(pod) || (Boolean(pod.spec?.nodeName) && !this.nodes.has(nodeOf(pod))),
      () => undefined,
    );
  }

  /** Everything that can happen happens, until nothing does. @throws Error if that takes too long */
  settle(): void {
    let idle = 0;
    for (let round = 0; round < 2000 && idle < 2; round += 1) {
      const isChanged = [this.reconcile(), this.ready(0), this.gone(0)].some(Boolean);
      idle = isChanged ? 0 : idle + 1;
      // What waits for a time.
      if (!isChanged) this.now += 3_600_000;
    }
    if (idle < 2) throw new Error('it does not settle');
  }
}

/** The node that a Pod was made for. */
export const nodeOf = ({ spec }: Pod): string =>
  spec!.affinity!.nodeAffinity!.requiredDuringSchedulingIgnoredDuringExecution!.nodeSelectorTerms![0]!
    .matchFields![0]!.values![0]!;
