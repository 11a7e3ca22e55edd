import type { ReplicaSet } from '../../model/generated/apps-v1.ts';
import type { ReplicationController } from '../../model/generated/core-v1.ts';
import type { TableDefinition } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from './define.ts';
import { containerCells } from './format.ts';

/** Columns that several workloads have. */

export const CONTAINERS = wide('Containers', 'Names of the containers.');
export const IMAGES = wide('Images', 'Images of the containers.');
export const SELECTOR = wide('Selector', 'Label selector of the pods.');

/** The wide columns of workloads: their containers, images and selector. */
export const WORKLOAD_COLUMNS = [CONTAINERS, IMAGES, SELECTOR];
export const DESIRED = column('Desired', 'Desired number of pods.', 'integer');
export const CURRENT = column('Current', 'Number of existing pods.', 'integer');
export const READY = column('Ready', 'Pods that are ready.', 'integer');

/** Replicas of a workload, as its table shows them. */
type Replicated = Pick<ReplicaSet | ReplicationController, 'metadata' | 'spec' | 'status'>;

/** Table of kinds that keep a number of equal pods. @param selector formats the selector of the pods */
export const replicaTable = <T extends Replicated>(selector: (object: T) => string): TableDefinition =>
  table<T>([NAME, DESIRED, CURRENT, READY, AGE, ...WORKLOAD_COLUMNS], (object) => {
    const { spec, status } = object;
    return [
      nameOf(object),
      spec?.replicas ?? 0,
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      ageOf(object),
      ...containerCells(spec?.template?.spec),
      selector(object),
    ];
  });
