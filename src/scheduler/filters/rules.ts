import { dynamicResources } from './dynamic-resources.ts';
import type { Rule } from './filter.ts';
import { nodeAffinity, nodePorts, nodeUnschedulable, taintToleration } from './node-checks.ts';
import { podAffinity } from './pod-affinity.ts';
import { resourcesFit } from './resources-fit.ts';
import { topologySpread } from './topology-spread.ts';
import { volumeBinding } from './volume-binding.ts';
import { volumeLimits } from './volume-limits.ts';
import { volumeRestrictions } from './volume-restrictions.ts';
import { volumeZone } from './volume-zone.ts';

/** All rules in the order of kube-scheduler: the first that rejects a node is the one that is reported. */
export const RULES: readonly Rule[] = [
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  resourcesFit,
  volumeRestrictions,
  volumeLimits,
  volumeBinding,
  volumeZone,
  topologySpread,
  podAffinity,
  dynamicResources,
];
