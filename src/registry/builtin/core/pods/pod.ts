import type { Pod } from '../../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../../model/object.ts';
import { defineResource } from '../../../builtin-resource.ts';
import { podStrategy } from './pod-strategy.ts';
import { podTable } from './pod-table.ts';

const asPod = (object: KubernetesObject): Pod => object as Pod;

export const pods = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'pods',
  kind: 'Pod',
  shortNames: ['po'],
  categories: ['all'],
  subresources: [
    { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'] },
    { name: 'binding', kind: 'Binding', verbs: ['create'] },
    'ephemeralcontainers',
    { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
    { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] },
    { name: 'log', verbs: ['get'] },
    { name: 'portforward', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
    { name: 'proxy', kind: 'PodProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] },
    'status',
  ],
  strategy: podStrategy,
  fieldSelectors: {
    'spec.nodeName': (object) => asPod(object).spec?.nodeName ?? '',
    'spec.restartPolicy': (object) => asPod(object).spec?.restartPolicy ?? '',
    'spec.schedulerName': (object) => asPod(object).spec?.schedulerName ?? '',
    'spec.serviceAccountName': (object) => asPod(object).spec?.serviceAccountName ?? '',
    'spec.hostNetwork': (object) => String(asPod(object).spec?.hostNetwork ?? false),
    'status.phase': (object) => asPod(object).status?.phase ?? '',
    'status.podIP': (object) => asPod(object).status?.podIPs?.[0]?.ip ?? '',
    // The label is accepted, but its value is always empty.
    'status.podIPs': () => '',
    'status.nominatedNodeName': (object) => asPod(object).status?.nominatedNodeName ?? '',
    'spec.host': (object) => asPod(object).spec?.nodeName ?? '',
  },
  table: podTable,
});
