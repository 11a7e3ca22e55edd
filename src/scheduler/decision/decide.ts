import type { ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import { type ClaimRelease, releaseClaim } from '../devices/release-claim.ts';
import { impossible, type RuleName } from '../filters/filter.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import { SchedulingError } from '../scheduling-error.ts';
import { bestNode, totalScores } from '../scores/criteria.ts';
import type { NodeState } from '../state/node-state.ts';
import { available, Diagnosis, NO_NODES } from './diagnosis.ts';
import { type PreparedPod, preparePod } from './node-checks.ts';
import { type PreemptionContext, preempt } from './preemption/preempt.ts';

/** Room that is made for a pod. */
export interface Preemption {
  readonly node: string;
  readonly victims: readonly PodInfo[];
}

/** Where a pod goes, or why it goes nowhere. */
export type Decision =
  | { readonly kind: 'place'; readonly node: string }
  | {
      readonly kind: 'reject';
      readonly message: string;
      /** The rules that rejected nodes: an event that changes nothing for them does not help. */
      readonly rules: ReadonlySet<RuleName>;
      readonly preemption?: Preemption;
      /** A claim whose devices are to be given back. */
      readonly released?: ResourceClaim;
      /** The pod is not nominated for a node any more. */
      readonly endsNomination: boolean;
    }
  /** Something is wrong that an event need not change; the pod is tried again. */
  | { readonly kind: 'fail'; readonly message: string };

/** From this many nodes on, only a share of the feasible ones is scored. */
const FEW_NODES = 100;
const LEAST_PERCENTAGE = 5;

/** How many feasible nodes are enough: all of few nodes, else half of them or less, the more there are. */
export function enoughNodes(nodes: number): number {
  if (nodes < FEW_NODES) return nodes;
  const percentage = Math.max(LEAST_PERCENTAGE, 50 - Math.floor(nodes / 125));
  return Math.max(FEW_NODES, Math.floor((nodes * percentage) / 100));
}

const OTHER_NODES = impossible('NodeAffinity', "node(s) didn't satisfy plugin(s) [NodeAffinity]");

/** Decides for one pod after the other. */
export class Decider {
  readonly #context: PreemptionContext;
  /** Where the next pod begins, so that all nodes are looked at in turn. */
  #firstNode = 0;

  constructor(context: PreemptionContext) {
    this.#context = context;
  }

  /** Decides for a pod. Between two steps the cluster may change. */
  *decide(pod: PendingPod): Steps<Decision> {
    const { view } = this.#context;
    if (view.state.nodes.length === 0)
      return { kind: 'reject', message: NO_NODES, rules: new Set(['NoNodes']), endsNomination: true };
    try {
      const prepared = preparePod(pod, view);
      try {
        return yield* this.#decide(pod, prepared);
      } finally {
        prepared.checks.end();
      }
    } catch (error) {
      if (!(error instanceof SchedulingError)) throw error;
      return { kind: 'fail', message: error.message };
    }
  }

  *#decide(pod: PendingPod, prepared: PreparedPod): Steps<Decision> {
    const { view, random } = this.#context;
    const nodes = view.state.nodes.length;
    const { rejection, nodeNames } = prepared;
    if (rejection !== undefined) {
      const message = available(nodes, rejection.reasons.join(', '));
      return yield* this.#reject(pod, prepared, new Diagnosis(nodes, rejection), message);
    }
    const diagnosis = new Diagnosis(nodes, nodeNames === undefined ? undefined : OTHER_NODES);
    const feasible = yield* this.#feasibleNodes(pod, prepared, diagnosis);
    if (feasible.length === 0) return yield* this.#reject(pod, prepared, diagnosis, diagnosis.message);
    if (feasible.length === 1) return { kind: 'place', node: feasible[0]!.name };
    const totals = totalScores(pod, feasible, view);
    return { kind: 'place', node: bestNode(feasible, totals, random).name };
  }

  *#feasibleNodes(
    { nominatedNode }: PendingPod,
    { checks, nodeNames }: PreparedPod,
    diagnosis: Diagnosis,
  ): Steps<NodeState[]> {
    const { state } = this.#context.view;
    const isFeasible = (node: NodeState): boolean => {
      if (node.info === undefined) return false;
      const rejection = checks.check(node);
      if (rejection !== undefined) diagnosis.rejected.set(node, rejection);
      return rejection === undefined;
    };
    const nominated = nominatedNode === '' ? undefined : state.node(nominatedNode);
    if (nominated !== undefined) {
      if (checks.hasLongWork) yield* checks.prepare(nominated);
      if (isFeasible(nominated)) return [nominated];
    }
    const nodes = nodeNames === undefined ? state.nodes : knownNodes(nodeNames, (name) => state.node(name));
    const enough = enoughNodes(nodes.length);
    const pace = new Pace(stepSizes.records);
    const feasible: NodeState[] = [];
    const first = this.#firstNode;
    for (let index = 0; index < nodes.length && feasible.length < enough; index++) {
      if (pace.isPause()) yield;
      const node = nodes[(first + index) % nodes.length]!;
      if (checks.hasLongWork) yield* checks.prepare(node);
      if (isFeasible(node)) feasible.push(node);
    }
    this.#firstNode = (first + feasible.length + diagnosis.rejected.size) % Math.max(1, state.nodes.length);
    return feasible;
  }

  /** Says why a pod goes nowhere, and what can be done for it. */
  *#reject(pod: PendingPod, prepared: PreparedPod, diagnosis: Diagnosis, message: string): Steps<Decision> {
    const { rules } = diagnosis;
    const release = this.#release(pod, prepared);
    if (release === 'unknown')
      return { kind: 'reject', message: `${message} not found`, rules, endsNomination: false };
    const result = yield* preempt(pod, diagnosis, prepared.checks, this.#context);
    const released = release?.claim && { released: release.claim };
    if ('candidate' in result) {
      const { node, victims } = result.candidate;
      const preemption = { node: node.name, victims };
      return { kind: 'reject', message, rules, preemption, ...released, endsNomination: false };
    }
    const texts = [...(release ? [release.message] : []), `preemption: ${result.message}`];
    return {
      kind: 'reject',
      message: `${message} ${texts.join(', ')}`,
      rules,
      ...released,
      endsNomination: !result.keepsNomination,
    };
  }

  /** Undefined without dynamic resource allocation; `unknown` if another rule rejected the pod before its claims. */
  #release({ info }: PendingPod, { rejection, devices }: PreparedPod): ClaimRelease | 'unknown' | undefined {
    if (this.#context.view.devices === undefined) return undefined;
    if (rejection !== undefined && rejection.rule !== 'DynamicResources') return 'unknown';
    return releaseClaim(info.uid, devices?.unavailable);
  }
}

const knownNodes = (names: ReadonlySet<string>, find: (name: string) => NodeState | undefined): NodeState[] =>
  Array.from(names, find).filter((node) => node !== undefined);
