import { UsedPorts } from '../objects/host-ports.ts';
import { type Labels, NO_LABELS } from '../objects/label-matcher.ts';
import type { NodeInfo } from '../objects/node-info.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import { addAmounts, areExact, noAmounts, type ResourceAmounts } from '../objects/resource-amounts.ts';

/** A node and what its pods take from it, kept up to date by each change of a pod. */
export class NodeState {
  /** Undefined for a node that pods name but that is not known. */
  info: NodeInfo | undefined;
  readonly pods = new Set<PodInfo>();
  #requested = noAmounts();
  /** CPU and memory with defaults for containers that request none. */
  readonly nonZeroRequested = { milliCpu: 0, memory: 0 };
  readonly ports = new UsedPorts();

  constructor(readonly name: string) {}

  get labels(): Labels {
    return this.info?.labels ?? NO_LABELS;
  }

  get requested(): Readonly<ResourceAmounts> {
    return this.#requested;
  }

  add(pod: PodInfo): void {
    this.pods.add(pod);
    this.#change(pod, 1);
  }

  remove(pod: PodInfo): void {
    this.pods.delete(pod);
    this.#change(pod, -1);
  }

  #change(pod: PodInfo, delta: 1 | -1): void {
    if (areExact(this.#requested)) addAmounts(this.#requested, pod.requests, delta);
    else this.#sumUp();
    this.nonZeroRequested.milliCpu += delta * pod.nonZero.milliCpu;
    this.nonZeroRequested.memory += delta * pod.nonZero.memory;
    for (const port of pod.hostPorts) this.ports.change(port, delta);
  }

  /** Sums beyond 2^53 are rounded: what was added cannot be taken away exactly. */
  #sumUp(): void {
    this.#requested = noAmounts();
    for (const pod of this.pods) addAmounts(this.#requested, pod.requests, 1);
  }
}
