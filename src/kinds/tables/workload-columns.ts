import type { KubernetesObject } from '../../model/object.ts';
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
interface Replicated extends Pick<KubernetesObject, 'metadata'> {
  spec?: { replicas?: number; template?: { spec?: Parameters<typeof containerCells>[0] } };
  status?: { replicas?: number; readyReplicas?: number };
}

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
