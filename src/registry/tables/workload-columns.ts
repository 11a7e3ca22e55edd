import { column, wide } from './define.ts';

/** Columns that several workloads have. */

export const CONTAINERS = wide('Containers', 'Names of the containers.');
export const IMAGES = wide('Images', 'Images of the containers.');
export const SELECTOR = wide('Selector', 'Label selector of the pods.');
export const DESIRED = column('Desired', 'Desired number of pods.', 'integer');
export const CURRENT = column('Current', 'Number of existing pods.', 'integer');
export const READY = column('Ready', 'Pods that are ready.', 'integer');
