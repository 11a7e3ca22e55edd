import type { PodInfo } from '../objects/pod-info.ts';
import type { NodeState } from '../state/node-state.ts';
import { type Rejection, type Rule, unfit } from './filter.ts';

/** What a node has left must be enough. All that is missing is a reason. */
export const resourcesFit: Rule = ({ info }) => {
  const known = new Map<string, Rejection>();
  return {
    check: {
      rule: 'NodeResourcesFit',
      check(node) {
        const reasons = missing(info, node);
        if (reasons === NOTHING) return undefined;
        const key = reasons.join();
        let rejection = known.get(key);
        if (rejection === undefined) {
          rejection = unfit('NodeResourcesFit', ...reasons);
          known.set(key, rejection);
        }
        return rejection;
      },
    },
  };
};

const NOTHING: readonly string[] = [];

/** What the node lacks for the pod; {@link NOTHING} if it fits. */
export function missing({ requests }: PodInfo, { info, requested, pods }: NodeState): readonly string[] {
  const { allocatable, allowedPods } = info!;
  let reasons = NOTHING;
  const need = (name: string, wanted: number, has: number, used: number): void => {
    if (wanted > 0 && wanted > has - used) reasons = [...reasons, `Insufficient ${name}`];
  };
  if (pods.size + 1 > allowedPods) reasons = ['Too many pods'];
  need('cpu', requests.milliCpu, allocatable.milliCpu, requested.milliCpu);
  need('memory', requests.memory, allocatable.memory, requested.memory);
  need(
    'ephemeral-storage',
    requests.ephemeralStorage,
    allocatable.ephemeralStorage,
    requested.ephemeralStorage,
  );
  if (requests.scalars !== undefined)
    for (const [name, amount] of requests.scalars)
      need(name, amount, allocatable.scalars?.get(name) ?? 0, requested.scalars?.get(name) ?? 0);
  return reasons;
}
