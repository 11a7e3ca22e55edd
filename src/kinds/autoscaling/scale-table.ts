import type { Scale } from '../../model/generated/autoscaling-v1.ts';
import { AGE, ageOf, column, nameOf, table } from '../tables/define.ts';

/** Table of scales. */
export const scaleTable = table<Scale>(
  [
    column('Name', 'Name of the object.'),
    column('Desired', 'Desired number of pods.', 'integer'),
    column('Available', 'Number of existing pods.', 'integer'),
    AGE,
  ],
  (object) => [nameOf(object), object.spec?.replicas ?? 0, object.status?.replicas ?? 0, ageOf(object)],
);
