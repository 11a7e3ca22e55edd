import type { CSIDriver, TokenRequest } from '../../model/generated/storage-v1.ts';
import type { Life } from '../../model/life.ts';
import { nextGeneration } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { duplicate, type FieldError, invalid, invalidFormatted } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { orNone } from '../tables/format.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { IMMUTABLE, validateImmutable, validateOneOf } from '../validation/fields.ts';
import { formatGoList, formatGoText } from '../validation/format-struct.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

const MINIMUM_TOKEN_SECONDS = 600;
const MINIMUM_UPDATE_SECONDS = 10;
const MAXIMUM_TOKEN_SECONDS = 2 ** 32;

function setDefaults(object: CSIDriver, { isOn }: Pick<RuleContext, 'isOn'>): void {
  object.spec ??= {};
  const { spec } = object;
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
  if (isOn('VolumeLimitScaling')) spec.preventPodSchedulingIfMissing ??= false;
}

function validate({ spec = {} }: CSIDriver): FieldError[] {
  return [
    ...validateOneOf(spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy'),
    ...validateTokenRequests(spec.tokenRequests ?? [], 'spec.tokenRequests'),
    ...(spec.nodeAllocatableUpdatePeriodSeconds !== undefined &&
    spec.nodeAllocatableUpdatePeriodSeconds < MINIMUM_UPDATE_SECONDS
      ? [
          invalid(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            spec.nodeAllocatableUpdatePeriodSeconds,
            `must be greater than or equal to ${MINIMUM_UPDATE_SECONDS} seconds`,
          ),
        ]
      : []),
    ...(spec.volumeLifecycleModes ?? []).flatMap((mode) =>
      validateOneOf(mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes'),
    ),
  ];
}

function validateTokenRequests(requests: readonly TokenRequest[], field: string): FieldError[] {
  const repeated = findDuplicates(requests, ({ audience = '' }) => audience);
  return requests.flatMap(({ audience = '', expirationSeconds }, index) => {
    if (repeated.has(index)) return [duplicate(`${field}[${index}].audience`, audience)];
    const reject = (text: string): FieldError[] => [
      invalid(`${field}[${index}].expirationSeconds`, expirationSeconds, text),
    ];
    if (expirationSeconds === undefined) return [];
    if (expirationSeconds < MINIMUM_TOKEN_SECONDS)
      return reject('may not specify a duration less than 10 minutes');
    return expirationSeconds > MAXIMUM_TOKEN_SECONDS
      ? reject('may not specify a duration larger than 2^32 seconds')
      : [];
  });
}

function validateUpdate(object: CSIDriver, old: CSIDriver): FieldError[] {
  const { attachRequired, volumeLifecycleModes } = object.spec ?? {};
  const formatModes = formatGoList('storage.VolumeLifecycleMode', volumeLifecycleModes, formatGoText);
  return [
    ...validate(object),
    // kube-apiserver misspells the path.
    ...validateImmutable(attachRequired, old.spec?.attachRequired, 'spec.attachedRequired'),
    ...(semanticEqual(volumeLifecycleModes, old.spec?.volumeLifecycleModes)
      ? []
      : [invalidFormatted('spec.volumeLifecycleModes', formatModes, IMMUTABLE)]),
  ];
}

const GATED_FIELDS: readonly GatedField<CSIDriver>[] = [
  {
    since: '1.33',
    gate: 'MutableCSINodeAllocatableCount',
    member: 'nodeAllocatableUpdatePeriodSeconds',
    parents: ({ spec }) => [spec],
  },
  {
    since: '1.35',
    gate: 'CSIServiceAccountTokenSecrets',
    member: 'serviceAccountTokenInSecrets',
    parents: ({ spec }) => [spec],
  },
  {
    since: '1.36',
    gate: 'VolumeLimitScaling',
    member: 'preventPodSchedulingIfMissing',
    parents: ({ spec }) => [spec],
  },
];

/** Recommends where drivers get tokens, whenever a driver requests others than before. */
const tokenWarnings = (
  { spec: { tokenRequests = [], serviceAccountTokenInSecrets } = {} }: CSIDriver,
  old: CSIDriver | undefined,
  { has, isOn }: RuleContext,
): string[] =>
  has(RECOMMENDS_SECRETS) &&
  isOn('CSIServiceAccountTokenSecrets') &&
  tokenRequests.length > 0 &&
  serviceAccountTokenInSecrets === undefined &&
  !semanticEqual(tokenRequests, old?.spec?.tokenRequests)
    ? [
        'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
      ]
    : [];

const RECOMMENDS_SECRETS: Life = { since: '1.35' };

export const createCsiDriverStrategy = (server: Pick<RuleContext, 'isOn'>): Strategy => ({
  defaulting: { byVersion: { v1: (object) => setDefaults(object as CSIDriver, server) } },
  dropDisabledFields: (object, old, context) =>
    dropGatedFields(GATED_FIELDS, object as CSIDriver, old as CSIDriver | undefined, context),
  warnings: (object, old, context) =>
    tokenWarnings(object as CSIDriver, old as CSIDriver | undefined, context),
  // The generation of the creation request is kept; spec changes increment it.
  prepareForUpdate(object: CSIDriver, old: CSIDriver) {
    if (!semanticEqual(object.spec, old.spec))
      object.metadata!.generation = nextGeneration(old.metadata?.generation);
  },
  validate,
  validateUpdate,
  requiresResourceVersion: true,
  deletion: { returnsObject: true },
});

export const csiDrivers = defineResource({
  group: 'storage.k8s.io',
  versions: ['v1'],
  resource: 'csidrivers',
  kind: 'CSIDriver',
  scope: 'Cluster',
  strategy: createCsiDriverStrategy,
  table: table<CSIDriver>(
    [
      NAME,
      column('AttachRequired', 'Whether volumes are attached before they are mounted.', 'boolean'),
      column('PodInfoOnMount', 'Whether the driver receives pod information on mount.', 'boolean'),
      column('StorageCapacity', 'Whether the driver publishes storage capacity.', 'boolean'),
      column('TokenRequests', 'Audiences of the tokens that the driver receives.'),
      column(
        'RequiresRepublish',
        'Whether the driver is called periodically to republish volumes.',
        'boolean',
      ),
      column('Modes', 'Life cycles of volumes that it supports.'),
      AGE,
    ],
    (object) => {
      const { spec } = object;
      const audiences = (spec?.tokenRequests ?? []).map(({ audience = '' }) => audience);
      return [
        nameOf(object),
        spec?.attachRequired ?? true,
        spec?.podInfoOnMount ?? false,
        spec?.storageCapacity ?? false,
        audiences.length === 0 ? '<unset>' : audiences.join(','),
        spec?.requiresRepublish ?? false,
        orNone((spec?.volumeLifecycleModes ?? []).join(',')),
        ageOf(object),
      ];
    },
  ),
});
