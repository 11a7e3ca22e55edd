import type { Node } from '../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { defineResource } from '../../builtin-resource.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { rangeWarnings } from '../../validation/address-warnings.ts';
import { roundResourceList } from '../../validation/quantities.ts';
import { nodeTable } from './node-table.ts';
import { validateNode, validateNodeUpdate } from './node-validation.ts';

function defaultNode(object: KubernetesObject): void {
  const { spec, status } = object as Node;
  // `podCIDR` mirrors the first of `podCIDRs` and takes precedence.
  if (spec?.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  else if (spec?.podCIDRs?.length) [spec.podCIDR] = spec.podCIDRs;
  if (status === undefined) return;
  roundResourceList(status.capacity);
  // An empty map is absent when the object is read again.
  if (Object.keys(status.allocatable ?? {}).length === 0 && status.capacity !== undefined)
    status.allocatable = { ...status.capacity };
  else roundResourceList(status.allocatable);
}

/**
 * Drops the removed configuration of kubelets unless the stored node has it, and the features of a gate that
 * is off; a status update can set the latter.
 */
function dropDisabledFields(
  { spec, status }: Node,
  old: Node | undefined,
  context: Pick<StrategyContext, 'isOn' | 'subresource'>,
): void {
  if (spec !== undefined && old?.spec?.configSource === undefined) delete spec.configSource;
  if (status !== undefined && old?.status?.config === undefined) delete status.config;
  if (status === undefined || context.subresource !== '') return;
  if (!context.isOn('SupplementalGroupsPolicy') && old?.status?.features === undefined)
    delete status.features;
}

export const nodeStrategy: Strategy = {
  dropDisabledFields,
  metadata: { checks: { update: ['whole', 'change'] } },
  defaulting: { byVersion: { v1: defaultNode } },
  status: { keptOnCreate: true },
  validate: (object, context) => validateNode(object as Node, context),
  validateUpdate: (object, old, context) => [
    ...validateNode(object as Node, context),
    ...validateNodeUpdate(object as Node, old as Node, context),
  ],
  validateSubresource: {
    status: (object, old, context) => validateNodeUpdate(object as Node, old as Node, context),
  },
  warnings: (object, _old, context) => nodeWarnings(object as Node, context),
};

function nodeWarnings({ spec }: Node, context: RuleContext): string[] {
  return [
    ...(spec?.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...(spec?.podCIDRs ?? []).flatMap((range, index) =>
      rangeWarnings(range, `spec.podCIDRs[${index}]`, context),
    ),
  ];
}

export const nodes = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'nodes',
  kind: 'Node',
  shortNames: ['no'],
  scope: 'Cluster',
  subresources: [
    { name: 'proxy', kind: 'NodeProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] },
    'status',
  ],
  storage: { prefix: 'minions' },
  strategy: nodeStrategy,
  fieldSelectors: {
    'spec.unschedulable': (object) => String((object as Node).spec?.unschedulable ?? false),
  },
  table: nodeTable,
});
