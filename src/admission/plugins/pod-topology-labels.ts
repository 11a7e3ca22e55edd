import type { Binding, Pod } from '../../model/generated/core-v1.ts';
import type { Life } from '../../model/life.ts';
import { getMember, setMember } from '../../model/object.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import type { PluginOptions } from './declaration.ts';

/** The copied labels of a node, with the releases that copy them. */
const COPIED: readonly ({ readonly label: string } & Life)[] = [
  { label: 'topology.k8s.io/zone', until: '1.34' },
  { label: 'topology.k8s.io/region', until: '1.34' },
  { label: 'topology.kubernetes.io/zone', since: '1.34' },
  { label: 'topology.kubernetes.io/region', since: '1.34' },
];

/** Copies the topology labels of a node to the Pods and Bindings that are created for it. */
export function podTopologyLabels({
  node,
  scheme,
  isOn,
}: Pick<PluginOptions, 'node' | 'scheme' | 'isOn'>): BuiltinPlugin {
  const copied = scheme.select(COPIED).map(({ label }) => label);
  return {
    handles: (operation, group, resource, subresource) =>
      operation === 'CREATE' &&
      group === '' &&
      resource === 'pods' &&
      (subresource === '' || subresource === 'binding') &&
      isOn('PodTopologyLabelsAdmission'),
    async admit({ object, subresource }) {
      const name =
        subresource === '' ? (object as Pod).spec?.nodeName : nodeOfBinding((object as Binding).target);
      if (!name) return;
      const source = (await node(name))?.metadata?.labels ?? {};
      for (const label of copied) {
        const value = getMember(source, label);
        if (value === undefined) continue;
        object!.metadata ??= {};
        object!.metadata.labels ??= {};
        setMember(object!.metadata.labels, label, value);
      }
    },
  };
}

const nodeOfBinding = (target: Binding['target']): string | undefined =>
  target?.kind === 'Node' ? target.name : undefined;
