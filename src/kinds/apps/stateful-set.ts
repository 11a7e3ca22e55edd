import type { StatefulSet, StatefulSetSpec } from '../../model/generated/apps-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { nameIsLabel } from '../../model/name-syntax.ts';
import { type FieldError, forbidden, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { defineResource, SCALE } from '../builtin-resource.ts';
import { validateStatefulTemplate } from '../core/pods/pod-template-validation.ts';
import { setClaimSpecDefaults } from '../core/volumes/volume-defaults.ts';
import { claimRequestWarnings } from '../core/volumes/volume-warnings.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { containerCells } from '../tables/format.ts';
import { CONTAINERS, IMAGES } from '../tables/workload-columns.ts';
import { validateNonNegative, validateOneOf } from '../validation/fields.ts';
import { formatGo } from '../validation/go-value.ts';
import { roundResourceList } from '../validation/quantities.ts';
import { validateNotDecremented, validateReplicaStatus } from '../validation/replicas.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import {
  dropDisabledFields,
  specWithTemplate,
  validateLongRunningTemplate,
  validateSelectorAndTemplate,
  workloadScale,
  workloadWarnings,
} from './workload.ts';

function setDefaults(object: StatefulSet): void {
  const spec = specWithTemplate(object);
  spec.podManagementPolicy ||= 'OrderedReady';
  spec.updateStrategy ??= {};
  if (!spec.updateStrategy.type) {
    spec.updateStrategy.type = 'RollingUpdate';
    // `rollingUpdate` is created only for the default type; a client's RollingUpdate can omit it.
    spec.updateStrategy.rollingUpdate ??= {};
  }
  if (spec.updateStrategy.type === 'RollingUpdate' && spec.updateStrategy.rollingUpdate)
    spec.updateStrategy.rollingUpdate.partition ??= 0;
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  nameClaimTemplates(object);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.spec ??= {};
    setClaimSpecDefaults(claim.spec);
    claim.status ??= {};
    claim.status.phase ||= 'Pending';
    roundResourceList(claim.status.capacity);
    roundResourceList(claim.status.allocatedResources);
  }
}

/** Sets apiVersion and kind of the claim templates, whatever they are; the stored form omits them. */
function nameClaimTemplates({ spec }: StatefulSet): void {
  for (const claim of spec?.volumeClaimTemplates ?? []) {
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
  }
}

const GATED: readonly GatedField<StatefulSetSpec>[] = [
  {
    gate: 'MaxUnavailableStatefulSet',
    member: 'maxUnavailable',
    parents: ({ updateStrategy }) => [updateStrategy?.rollingUpdate],
  },
];

function validateSpec({ spec = {} }: StatefulSet): FieldError[] {
  const { podManagementPolicy = '', persistentVolumeClaimRetentionPolicy: retention } = spec;
  return [
    ...(podManagementPolicy === '' ? [required('spec.podManagementPolicy')] : []),
    ...(['', 'OrderedReady', 'Parallel'].includes(podManagementPolicy)
      ? []
      : [invalid('spec.podManagementPolicy', podManagementPolicy, "must be 'OrderedReady' or 'Parallel'")]),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}),
    ...(retention === undefined
      ? []
      : (['whenDeleted', 'whenScaled'] as const).flatMap((when) =>
          validateOneOf(
            retention[when],
            ['Retain', 'Delete'],
            `spec.persistentVolumeClaimRetentionPolicy.${when}`,
          ),
        )),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    ...validateSelectorAndTemplate(
      spec,
      { empty: 'empty selector is invalid for statefulset', unusable: '' },
      validateStatefulTemplate,
    ),
    ...validateLongRunningTemplate(spec.template, 'StatefulSet'),
  ];
}

function validateUpdateStrategy(strategy: NonNullable<StatefulSetSpec['updateStrategy']>): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  const field = 'spec.updateStrategy';
  if (type === '') return [required(field)];
  if (type === 'OnDelete')
    return rollingUpdate === undefined
      ? []
      : [
          invalidFormatted(
            `${field}.rollingUpdate`,
            formatGo('apps.RollingUpdateStatefulSetStrategy', rollingUpdate),
            "only allowed for updateStrategy 'RollingUpdate'",
          ),
        ];
  if (type === 'RollingUpdate')
    return validateNonNegative(rollingUpdate?.partition, `${field}.rollingUpdate.partition`);
  return [
    invalidFormatted(
      field,
      formatGo('apps.StatefulSetUpdateStrategy', strategy),
      "must be 'RollingUpdate' or 'OnDelete'",
    ),
  ];
}

const MUTABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

function validateOthersUnchanged(object: StatefulSet, old: StatefulSet): FieldError[] {
  const others = ({ spec = {} }: StatefulSet): StatefulSetSpec => {
    const rest = { ...spec };
    for (const name of MUTABLE) delete rest[name];
    return rest;
  };
  if (semanticEqual(others(object), others(old), internalTypes.type('apps_v1.StatefulSetSpec'))) return [];
  return [
    forbidden(
      'spec',
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ),
  ];
}

export const statefulSetStrategy: Strategy = {
  defaulting: {
    byVersion: { v1: setDefaults },
    afterDecoding: nameClaimTemplates,
  },
  metadata: { validateName: nameIsLabel },
  dropDisabledFields(object: StatefulSet, old: StatefulSet | undefined, context) {
    dropDisabledFields(object, old, context);
    dropGatedFields(GATED, object.spec, old?.spec, context);
  },
  validate: (object: StatefulSet) => validateSpec(object),
  validateUpdate: (object: StatefulSet, old: StatefulSet) => [
    ...validateSpec(object),
    ...validateOthersUnchanged(object, old),
  ],
  validateSubresource: {
    status: (object: StatefulSet, old: StatefulSet) => [
      ...validateReplicaStatus(
        object.status,
        ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
        'cannot be greater than status.readyReplicas',
      ),
      ...validateNotDecremented(
        object.status?.collisionCount,
        old.status?.collisionCount,
        'status.collisionCount',
      ),
    ],
  },
  warnings(object: StatefulSet, old) {
    const limit = object.spec?.revisionHistoryLimit;
    const negative =
      limit !== undefined && limit < 0
        ? [
            'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
          ]
        : [];
    const claims = (object.spec?.volumeClaimTemplates ?? []).flatMap(({ spec = {} }, index) =>
      claimRequestWarnings(spec, `spec.volumeClaimTemplates[${index}].Spec`),
    );
    return [...workloadWarnings(object, old), ...claims, ...negative];
  },
  managesGeneration: true,
  scale: { ...workloadScale, missesResource: true },
};

export const statefulSets = defineResource({
  group: 'apps',
  versions: ['v1'],
  resource: 'statefulsets',
  kind: 'StatefulSet',
  shortNames: ['sts'],
  categories: ['all'],
  subresources: [SCALE, 'status'],
  strategy: statefulSetStrategy,
  table: table<StatefulSet>(
    [NAME, column('Ready', 'Number of ready pods, of the desired ones.'), AGE, CONTAINERS, IMAGES],
    (object) => [
      nameOf(object),
      `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
      ageOf(object),
      ...containerCells(object.spec?.template?.spec),
    ],
  ),
  descriptions: {
    StatefulSet: 'Manages pods that each have a stable name and persistent storage.',
    StatefulSetSpec: 'Specification of a stateful set.',
    'StatefulSetSpec.replicas': 'Desired number of pods. Default: 1.',
    'StatefulSetSpec.selector': 'Label selector of the pods. Must match the labels of the template.',
    'StatefulSetSpec.template': 'Template of the pods.',
    'StatefulSetSpec.serviceName': 'Headless service that defines the DNS names of the pods.',
    'StatefulSetSpec.volumeClaimTemplates': 'Templates of the claims that are created for each pod.',
    'StatefulSetSpec.podManagementPolicy':
      'OrderedReady creates pods one after the other, Parallel all at once. Default: OrderedReady.',
    'StatefulSetSpec.updateStrategy': 'Strategy for updates of the template.',
    'StatefulSetSpec.persistentVolumeClaimRetentionPolicy':
      'Whether claims are retained when the stateful set is deleted or scaled down.',
    'StatefulSetSpec.ordinals': 'Numbering of the pods.',
  },
});
