import type { NodeSpec } from '../../model/generated/core-v1.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Taints new nodes as not ready. */
export const taintNodesByCondition: BuiltinPlugin = {
  handles: (operation, group, resource, subresource) =>
    operation === 'CREATE' && group === '' && resource === 'nodes' && subresource === '',
  admit({ object }) {
    object!.spec ??= {};
    const spec = object!.spec as NodeSpec;
    const taints = spec.taints ?? [];
    if (!taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect))
      spec.taints = [...taints, { ...NOT_READY }];
  },
};
