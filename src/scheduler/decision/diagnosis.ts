import type { Rejection, RuleName } from '../filters/filter.ts';
import type { NodeState } from '../state/node-state.ts';

/** The message of a pod in a cluster without nodes. */
export const NO_NODES = 'no nodes available to schedule pods';

/** Why a pod cannot use any node, as the reference words it. */
export class Diagnosis {
  readonly rejected = new Map<NodeState, Rejection>();
  readonly #nodes: number;
  /** Why nodes are not looked at. */
  readonly #others: Rejection | undefined;

  /**
   * @param nodes the number of all nodes
   * @param others the rejection of nodes that have none of their own
   */
  constructor(nodes: number, others?: Rejection) {
    this.#nodes = nodes;
    this.#others = others;
  }

  /** The rejection of a node; undefined if there is none that preemption could change. */
  of(node: NodeState): Rejection | undefined {
    return this.rejected.get(node) ?? this.#others;
  }

  get rules(): Set<RuleName> {
    const rules = new Set<RuleName>();
    for (const { rule } of this.rejected.values()) rules.add(rule);
    if (this.#others !== undefined) rules.add(this.#others.rule);
    return rules;
  }

  /** `0/3 nodes are available: …`: how many nodes have each reason, in the order of the texts. */
  get message(): string {
    const counts = new Map<string, number>();
    const count = ({ reasons }: Rejection, nodes: number): void => {
      for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodes);
    };
    for (const rejection of this.rejected.values()) count(rejection, 1);
    const others = this.#nodes - this.rejected.size;
    if (this.#others !== undefined && others > 0) count(this.#others, others);
    const texts = Array.from(counts, ([reason, nodes]) => `${nodes} ${reason}`).sort(byBytes);
    return available(this.#nodes, texts.join(', '));
  }
}

const byBytes = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** The first sentence of a message. @param reason empty for none */
export const available = (nodes: number, reason: string): string =>
  `0/${nodes} nodes are available:${reason === '' ? '' : ` ${reason}.`}`;
