import type { Pod } from '../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { defineResource } from '../../builtin-resource.ts';
import { textAt } from '../../field-reader.ts';
import { IN_PLACE_RESIZE } from './pod-spec-defaults.ts';
import { createPodStrategy } from './pod-strategy.ts';
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
    { name: 'resize', gate: IN_PLACE_RESIZE },
    'status',
  ],
  strategy: createPodStrategy,
  fieldSelectors: {
    'spec.nodeName': textAt('spec', 'nodeName'),
    'spec.restartPolicy': textAt('spec', 'restartPolicy'),
    'spec.schedulerName': textAt('spec', 'schedulerName'),
    'spec.serviceAccountName': textAt('spec', 'serviceAccountName'),
    'spec.hostNetwork': (object) => String(asPod(object).spec?.hostNetwork ?? false),
    'status.phase': textAt('status', 'phase'),
    'status.podIP': (object) => asPod(object).status?.podIPs?.[0]?.ip ?? '',
    // The label is accepted, but its value is always empty.
    'status.podIPs': () => '',
    'status.nominatedNodeName': textAt('status', 'nominatedNodeName'),
    'spec.host': textAt('spec', 'nodeName'),
  },
  table: podTable,
});
