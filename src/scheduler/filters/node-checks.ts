import { toleratesUnschedulable, untoleratedTaint } from '../../reconcile/nodes/taints.ts';
import { DOES_NOT_APPLY, impossible, type Rejection, type Rule, unfit } from './filter.ts';

const UNSCHEDULABLE = impossible('NodeUnschedulable', 'node(s) were unschedulable');

/** Nodes that are cordoned take no pods but those that tolerate it. */
export const nodeUnschedulable: Rule = ({ tolerations }) => {
  if (toleratesUnschedulable(tolerations)) return DOES_NOT_APPLY;
  return {
    check: {
      rule: 'NodeUnschedulable',
      check: ({ info }) => (info!.isUnschedulable ? UNSCHEDULABLE : undefined),
    },
  };
};

/** A taint with effect NoSchedule or NoExecute keeps pods away that do not tolerate it. */
export const taintToleration: Rule = ({ tolerations }) => {
  const known = new Map<string, Rejection>();
  return {
    check: {
      rule: 'TaintToleration',
      check({ info }) {
        if (info!.taints.length === 0) return undefined;
        const taint = untoleratedTaint(info!.taints, tolerations);
        if (taint === undefined) return undefined;
        const reason = `node(s) had untolerated taint {${taint.key ?? ''}: ${taint.value ?? ''}}`;
        let rejection = known.get(reason);
        if (rejection === undefined) {
          rejection = impossible('TaintToleration', reason);
          known.set(reason, rejection);
        }
        return rejection;
      },
    },
  };
};

const NO_MATCH = impossible('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
const CONTRADICTION = impossible('NodeAffinity', 'pod affinity terms conflict');

/** Node selector and required node affinity; an affinity that names nodes leaves no others. */
export const nodeAffinity: Rule = ({ requiredNodes, requiredNodeNames: nodeNames }) => {
  if (requiredNodes === undefined) return DOES_NOT_APPLY;
  if (nodeNames?.size === 0) return { rejection: CONTRADICTION };
  return {
    check: {
      rule: 'NodeAffinity',
      check: (node) => (requiredNodes(node) ? undefined : NO_MATCH),
    },
    ...(nodeNames && { nodeNames }),
  };
};

const NO_PORTS = unfit('NodePorts', "node(s) didn't have free ports for the requested pod ports");

/** Ports of the node that the pod wants must be free. */
export const nodePorts: Rule = ({ info: { hostPorts } }) => {
  if (hostPorts.length === 0) return DOES_NOT_APPLY;
  return {
    check: {
      rule: 'NodePorts',
      check: ({ ports }) => (hostPorts.some((port) => ports.conflicts(port)) ? NO_PORTS : undefined),
    },
  };
};
