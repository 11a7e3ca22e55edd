import type { CSINode, CSINodeDriver } from '../../model/generated/storage-v1.ts';
import type { Life } from '../../model/life.ts';
import { qualifiedName } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { duplicate, type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { findDuplicateStrings, findDuplicates } from '../validation/duplicates.ts';
import { IMMUTABLE, invalidTexts, validateNonNegative } from '../validation/fields.ts';
import { formatGoPointer, formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { formatGoStrings } from '../validation/format-value.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { validateCsiNodeStatus } from './csi-node-status.ts';

const MAXIMUM_NODE_ID_LENGTH = 256;

function validate({ spec = {} }: CSINode, context: RuleContext): FieldError[] {
  const { drivers = [] } = spec;
  const repeated = findDuplicates(drivers, ({ name = '' }) => name);
  return checkEach(drivers, { place: 'drivers', cost: 3 }, (driver, index) => {
    const field = `spec.drivers[${index}]`;
    const { name = '' } = driver;
    return [
      ...validateDriver(driver, field, context),
      ...(repeated.has(index) ? [duplicate(`${field}.name`, name)] : []),
      ...validateTopologyKeys(driver.topologyKeys ?? [], field),
    ];
  });
}

function validateDriver(
  { name = '', nodeID = '', allocatable }: CSINodeDriver,
  field: string,
  context: RuleContext,
): FieldError[] {
  const errors = validateDriverName(name, `${field}.name`, context);
  if (nodeID === '') errors.push(required(`${field}.nodeID`));
  else if (Buffer.byteLength(nodeID) > MAXIMUM_NODE_ID_LENGTH)
    errors.push(invalid(`${field}.nodeID`, nodeID, `must be ${MAXIMUM_NODE_ID_LENGTH} characters or less`));
  return [...errors, ...validateNonNegative(allocatable?.count, `${field}.allocatable.count`)];
}

/** Validates topology keys; errors are reported at the driver. */
function validateTopologyKeys(keys: readonly string[], field: string): FieldError[] {
  const repeated = findDuplicateStrings(keys);
  return checkEach(keys, { place: field, cost: 2 }, (key, index) => [
    ...(key === '' ? [required(field)] : []),
    ...(repeated.has(index) ? [duplicate(field, key)] : []),
    ...invalidTexts(field, key, qualifiedName(key)),
  ]);
}

const formatDriver = ({ name, nodeID, topologyKeys, allocatable }: CSINodeDriver): string =>
  formatGoStruct('storage.CSINodeDriver', {
    Name: formatGoText(name),
    NodeID: formatGoText(nodeID),
    TopologyKeys: formatGoStrings(topologyKeys),
    Allocatable: formatGoPointer('storage.VolumeNodeResources', allocatable),
  });

/** The releases that name the list of drivers, where a driver changes. */
const NAMES_LIST: Life = { since: '1.33' };
/** The feature gate that lets the number of volumes change. */
const MUTABLE_COUNT = 'MutableCSINodeAllocatableCount';

/** Validates an update: drivers can be added and removed, but are immutable. */
function validateUpdate(object: CSINode, old: CSINode, context: RuleContext): FieldError[] {
  const { has, isOn } = context;
  const kept = (driver: CSINodeDriver | undefined): CSINodeDriver | undefined =>
    isOn(MUTABLE_COUNT) && driver !== undefined ? { ...driver, allocatable: undefined } : driver;
  const before = new Map((old.spec?.drivers ?? []).map((driver) => [driver.name, driver]));
  const changed = (object.spec?.drivers ?? []).filter(
    (driver) => before.has(driver.name) && !semanticEqual(kept(before.get(driver.name)), kept(driver)),
  );
  return [
    // kube-apiserver validates a changed node twice.
    ...validate(object, context),
    ...validate(object, context),
    ...changed.map((driver) =>
      invalidFormatted(has(NAMES_LIST) ? 'spec.drivers' : 'CSINodeDriver', formatDriver(driver), IMMUTABLE),
    ),
  ];
}

const GATED_FIELDS: readonly GatedField<CSINode>[] = [
  { gate: 'CSIVolumeHealth', since: '1.37', member: 'storageHealth', parents: ({ status }) => [status] },
];

export const csiNodeStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'whole'] } },
  validate,
  validateUpdate,
  dropDisabledFields: (object, old, context) => dropGatedFields(GATED_FIELDS, object, old, context),
  validateSubresource: { status: validateCsiNodeStatus },
  status: { updatesMetadata: false },
  requiresResourceVersion: true,
  deletion: { returnsObject: true },
};

export const csiNodes = defineResource({
  group: 'storage.k8s.io',
  versions: ['v1'],
  resource: 'csinodes',
  kind: 'CSINode',
  scope: 'Cluster',
  subresources: [{ name: 'status', since: '1.37' }],
  strategy: csiNodeStrategy,
  table: table<CSINode>(
    [NAME, column('Drivers', 'Number of drivers on the node.', 'integer'), AGE],
    (object) => [nameOf(object), object.spec?.drivers?.length ?? 0, ageOf(object)],
  ),
});
