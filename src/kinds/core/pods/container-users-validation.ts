import type { ContainerStatus, PodSpec } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { validateRange } from '../../validation/fields.ts';

const MAXIMUM_ID = 2 ** 31 - 1;

/** The releases whose paths lack the user. */
const OMITS_USER: Life = { until: '1.33' };

/** Validates the user of the containers' processes. */
export function validateUsers(
  statuses: readonly ContainerStatus[] = [],
  { os }: PodSpec,
  field: string,
  { has }: RuleContext,
): FieldError[] {
  return checkEach(statuses, { place: `users of ${field}` }, ({ user }, index) => {
    const linux = user?.linux;
    const path = has(OMITS_USER) ? `${field}[${index}].linux` : `${field}[${index}].user.linux`;
    if (linux === undefined) return [];
    if (os?.name === 'windows') return [forbidden(path, 'cannot be set for a windows pod')];
    const { uid = 0, gid = 0, supplementalGroups = [] } = linux;
    return [
      ...validateRange(uid, 0, MAXIMUM_ID, `${path}.uid`),
      ...validateRange(gid, 0, MAXIMUM_ID, `${path}.gid`),
      ...checkEach(supplementalGroups, { place: path }, (group, groupIndex) =>
        validateRange(group, 0, MAXIMUM_ID, `${path}.supplementalGroups[${groupIndex}]`),
      ),
    ];
  });
}
