import type { PodInfo } from './objects/pod-info.ts';
import type { NominationView } from './view.ts';

const NONE: readonly PodInfo[] = [];

/** The pods for which others were preempted, and that do not have a node yet. */
export class Nominations implements NominationView {
  readonly #byNode = new Map<string, PodInfo[]>();
  readonly #nodes = new Map<string, string>();

  on(node: string): readonly PodInfo[] {
    return this.#byNode.get(node) ?? NONE;
  }

  /** A pod waits for room on a node, and on no other. */
  set(pod: PodInfo, node: string): void {
    this.delete(pod.uid);
    this.#nodes.set(pod.uid, node);
    this.#byNode.set(node, [...this.on(node), pod]);
  }

  delete(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    const left = this.on(node).filter((pod) => pod.uid !== uid);
    if (left.length > 0) this.#byNode.set(node, left);
    else this.#byNode.delete(node);
  }
}
