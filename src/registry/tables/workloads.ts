import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from '../../model/generated/apps-v1.ts';
import type { ReplicationController } from '../../model/generated/core-v1.ts';
import { parseApiVersion } from '../../model/object.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from './define.ts';
import { containerCells, formatLabelSelector, formatLabels, labelSelectorText } from './format.ts';

export const CONTAINERS = wide('Containers', 'Names of the containers.');
export const IMAGES = wide('Images', 'Images of the containers.');
export const SELECTOR = wide('Selector', 'Label selector of the pods.');
const DESIRED = column('Desired', 'Desired number of pods.', 'integer');
const CURRENT = column('Current', 'Number of existing pods.', 'integer');
const READY = column('Ready', 'Pods that are ready.', 'integer');

export const deployments = table<Deployment>(
  [
    NAME,
    column('Ready', 'Number of ready pods, of the desired ones.'),
    column('Up-to-date', 'Pods of the latest template.'),
    column('Available', 'Pods that have been ready for long enough.'),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  (object) => {
    const { spec, status } = object;
    return [
      nameOf(object),
      `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      ageOf(object),
      ...containerCells(spec?.template?.spec),
      labelSelectorText(spec?.selector),
    ];
  },
);

export const replicaSets = table<ReplicaSet>(
  [NAME, DESIRED, CURRENT, READY, AGE, CONTAINERS, IMAGES, SELECTOR],
  (object) => {
    const { spec, status } = object;
    return [
      nameOf(object),
      spec?.replicas ?? 0,
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      ageOf(object),
      ...containerCells(spec?.template?.spec),
      formatLabelSelector(spec?.selector),
    ];
  },
);

export const replicationControllers = table<ReplicationController>(
  [NAME, DESIRED, CURRENT, READY, AGE, CONTAINERS, IMAGES, SELECTOR],
  (object) => {
    const { spec, status } = object;
    return [
      nameOf(object),
      spec?.replicas ?? 0,
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      ageOf(object),
      ...containerCells(spec?.template?.spec),
      formatLabels(spec?.selector),
    ];
  },
);

export const statefulSets = table<StatefulSet>(
  [NAME, column('Ready', 'Number of ready pods, of the desired ones.'), AGE, CONTAINERS, IMAGES],
  (object) => [
    nameOf(object),
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    ageOf(object),
    ...containerCells(object.spec?.template?.spec),
  ],
);

export const daemonSets = table<DaemonSet>(
  [
    NAME,
    DESIRED,
    CURRENT,
    READY,
    column('Up-to-date', 'Pods of the latest template.', 'integer'),
    column('Available', 'Pods that have been ready for long enough.', 'integer'),
    column('Node Selector', 'Labels of the nodes it runs on.'),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  (object) => {
    const { spec, status } = object;
    return [
      nameOf(object),
      status?.desiredNumberScheduled ?? 0,
      status?.currentNumberScheduled ?? 0,
      status?.numberReady ?? 0,
      status?.updatedNumberScheduled ?? 0,
      status?.numberAvailable ?? 0,
      formatLabels(spec?.template?.spec?.nodeSelector),
      ageOf(object),
      ...containerCells(spec?.template?.spec),
      formatLabelSelector(spec?.selector),
    ];
  },
);

/** Formats the controlling owner reference as `kind.group/name`. */
function controllerOf({ metadata }: ControllerRevision): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const group = parseApiVersion(owner.apiVersion)?.group ?? '';
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`;
}

export const controllerRevisions = table<ControllerRevision>(
  [
    NAME,
    column('Controller', 'Controller that owns the revision.'),
    column('Revision', 'Number of the revision.'),
    AGE,
  ],
  (object) => [nameOf(object), controllerOf(object), Number(object.revision ?? 0), ageOf(object)],
);
