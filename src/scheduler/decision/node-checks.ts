import type { Steps } from '../../steps/steps.ts';
import { DeviceCheck } from '../filters/dynamic-resources.ts';
import type { NodeCheck, Rejection } from '../filters/filter.ts';
import { RULES } from '../filters/rules.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { NodeState } from '../state/node-state.ts';
import type { SchedulingView } from '../view.ts';

/** All that is to be checked for one pod. It follows changes of pods until {@link end}. */
export class NodeChecks {
  readonly #pod: PodInfo;
  readonly #view: SchedulingView;
  readonly #checks: readonly NodeCheck[];
  /** Whether {@link prepare} has work. */
  readonly hasLongWork: boolean;
  /** Ends the observation of pods. */
  readonly end: () => void;

  constructor({ info }: PendingPod, checks: readonly NodeCheck[], view: SchedulingView) {
    this.#pod = info;
    this.#view = view;
    this.#checks = checks;
    this.hasLongWork = checks.some(({ prepareNode }) => prepareNode !== undefined);
    const observers = checks.filter(({ podChanged }) => podChanged !== undefined);
    this.end = view.state.observe((pod, node, delta) => {
      for (const check of observers) check.podChanged!(pod, node, delta);
    });
  }

  /** Does the long work for a node, so that {@link check} takes little time. */
  *prepare(node: NodeState): Steps<void> {
    for (const check of this.#checks) if (check.prepareNode !== undefined) yield* check.prepareNode(node);
  }

  /**
   * Checks a node as it is, and with the pods that have room there because they preempted others: these go first if
   * they are at least as important. @throws SchedulingError
   */
  check(node: NodeState): Rejection | undefined {
    const { nominations, state } = this.#view;
    const nominated = nominations
      .on(node.name)
      .filter(({ uid, priority }) => priority >= this.#pod.priority && uid !== this.#pod.uid);
    if (nominated.length === 0) return this.#checkAsIs(node);
    const added: PodInfo[] = [];
    try {
      for (const pod of nominated) {
        state.addTo(node, pod);
        added.push(pod);
      }
      const rejection = this.#checkAsIs(node);
      if (rejection !== undefined) return rejection;
    } finally {
      for (const pod of added) state.takeFrom(node, pod);
    }
    return this.#checkAsIs(node);
  }

  #checkAsIs(node: NodeState): Rejection | undefined {
    for (const check of this.#checks) {
      const rejection = check.check(node);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }
}

/** What the rules say about a pod before nodes are looked at. */
export interface PreparedPod {
  readonly checks: NodeChecks;
  /** The only nodes that can be used. */
  readonly nodeNames: ReadonlySet<string> | undefined;
  /** Why no node can be used at all. */
  readonly rejection: Rejection | undefined;
  /** The check of the pod's devices. */
  readonly devices: DeviceCheck | undefined;
}

/** Reads a pod by all rules. @throws SchedulingError */
export function preparePod(pod: PendingPod, view: SchedulingView): PreparedPod {
  const checks: NodeCheck[] = [];
  let names: ReadonlySet<string> | undefined;
  let rejected: Rejection | undefined;
  for (const rule of RULES) {
    const { check, rejection, nodeNames } = rule(pod, view);
    if (check !== undefined) checks.push(check);
    names ??= nodeNames;
    rejected = rejection;
    if (rejected !== undefined) break;
  }
  const devices = checks.find((check) => check instanceof DeviceCheck);
  return { checks: new NodeChecks(pod, checks, view), nodeNames: names, rejection: rejected, devices };
}
