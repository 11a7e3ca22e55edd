import type { CSINode, StorageHealth, StorageHealthCondition } from '../../model/generated/storage-v1.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { duplicate, type FieldError, required, tooLong, tooMany } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { conditionReasonTexts } from '../validation/conditions.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';

const MAXIMUM_CONDITIONS = 16;
const MAXIMUM_REASON_BYTES = 256;
const MAXIMUM_MESSAGE_BYTES = 1024;
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Validates what a node says about the health of the storage of its drivers. */
export function validateCsiNodeStatus(
  { status: { storageHealth = [] } = {} }: CSINode,
  _old: CSINode,
  context: RuleContext,
): FieldError[] {
  const repeated = findDuplicates(storageHealth, ({ name = '' }) => name);
  return checkEach(storageHealth, { place: 'health', cost: 3 }, (health, index) => {
    const field = `status.storageHealth[${index}]`;
    return [
      ...(repeated.has(index) ? [duplicate(field, health.name ?? '')] : []),
      ...validateHealth(health, field, context),
    ];
  });
}

function validateHealth(
  { name = '', healthConditions: conditions = [] }: StorageHealth,
  field: string,
  context: RuleContext,
): FieldError[] {
  const list = `${field}.healthConditions`;
  return [
    ...(name === '' ? [required(`${field}.name`)] : validateDriverName(name, `${field}.name`, context)),
    ...(conditions.length > MAXIMUM_CONDITIONS
      ? [tooMany(list, conditions.length, MAXIMUM_CONDITIONS)]
      : conditions.flatMap((condition, index) => validateCondition(condition, `${list}[${index}]`))),
  ];
}

function validateCondition(
  { status, reason = '', message = '', accessMode, volumeMode }: StorageHealthCondition,
  field: string,
): FieldError[] {
  const reasonField = `${field}.reason`;
  return [
    ...validateOneOf(status, ['StorageDegraded', 'StorageUnreachable'], `${field}.status`),
    ...(reason === ''
      ? [required(reasonField)]
      : invalidTexts(reasonField, reason, conditionReasonTexts(reason))),
    ...(Buffer.byteLength(reason) > MAXIMUM_REASON_BYTES ? [tooLong(reasonField, MAXIMUM_REASON_BYTES)] : []),
    ...(Buffer.byteLength(message) > MAXIMUM_MESSAGE_BYTES
      ? [tooLong(`${field}.message`, MAXIMUM_MESSAGE_BYTES)]
      : []),
    ...(accessMode === undefined ? [] : validateOneOf(accessMode, ACCESS_MODES, `${field}.accessMode`)),
    ...(volumeMode === undefined
      ? []
      : validateOneOf(volumeMode, ['Filesystem', 'Block'], `${field}.volumeMode`)),
  ];
}
