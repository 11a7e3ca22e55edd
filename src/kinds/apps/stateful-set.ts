import type { StatefulSet, StatefulSetSpec } from '../../model/generated/apps-v1.ts';
import type { PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Label, nameIsLabel } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  isValid,
  required,
} from '../../status/field-error.ts';
import { defineResource, SCALE } from '../builtin-resource.ts';
import { validatePodTemplate, validateStatefulTemplate } from '../core/pods/pod-template-validation.ts';
import { type PodValidationOptions, withOldTemplate } from '../core/pods/pod-validation-options.ts';
import {
  VOLUME_ATTRIBUTES_CLASS,
  validateClaimSpec,
} from '../core/volumes/persistent-volume-claim-validation.ts';
import { setClaimSpecDefaults } from '../core/volumes/volume-defaults.ts';
import { claimRequestWarnings } from '../core/volumes/volume-warnings.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { containerCells } from '../tables/format.ts';
import { CONTAINERS, IMAGES } from '../tables/workload-columns.ts';
import { IMMUTABLE, invalidTexts, validateNonNegative, validateOneOf } from '../validation/fields.ts';
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

function setDefaults(object: StatefulSet, { isOn }: Pick<RuleContext, 'isOn'>): void {
  const spec = specWithTemplate(object);
  spec.podManagementPolicy ||= 'OrderedReady';
  spec.updateStrategy ??= {};
  if (!spec.updateStrategy.type) {
    spec.updateStrategy.type = 'RollingUpdate';
    // `rollingUpdate` is created only for the default type; a client's RollingUpdate can omit it.
    spec.updateStrategy.rollingUpdate ??= {};
  }
  const { type, rollingUpdate } = spec.updateStrategy;
  if (type === 'RollingUpdate' && rollingUpdate) {
    rollingUpdate.partition ??= 0;
    if (isOn(MAX_UNAVAILABLE)) rollingUpdate.maxUnavailable ??= 1n as never;
  }
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

const MAX_UNAVAILABLE = 'MaxUnavailableStatefulSet';

const GATED: readonly GatedField<StatefulSetSpec>[] = [
  {
    gate: MAX_UNAVAILABLE,
    member: 'maxUnavailable',
    parents: ({ updateStrategy }) => [updateStrategy?.rollingUpdate],
  },
];

const CHECKS_SERVICE_NAME: Life = { since: '1.33' };
const CHECKS_CLAIMS: Life = { since: '1.34' };
const CHECKS_PODS: Life = { since: '1.34' };

/** What an update need not repair. */
interface Tolerance {
  /** An update: the service and the claims cannot change. */
  readonly isUpdate?: boolean;
  readonly toleratesPods?: boolean;
}

function validateSpec(
  { spec = {} }: StatefulSet,
  context: PodValidationOptions,
  { isUpdate = false, toleratesPods = false }: Tolerance = {},
): FieldError[] {
  const { has, isOn } = context;
  const { serviceName = '', volumeClaimTemplates: claims = [] } = spec;
  const claimOptions = { checksAttributesClass: isOn(VOLUME_ATTRIBUTES_CLASS) };
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
    ...(isUpdate || !has(CHECKS_CLAIMS)
      ? []
      : claims.flatMap((claim, index) =>
          validateClaimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`, claimOptions),
        )),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    ...(isUpdate || serviceName === '' || !has(CHECKS_SERVICE_NAME)
      ? []
      : invalidTexts('spec.serviceName', serviceName, dns1123Label(serviceName))),
    ...validateSelectorAndTemplate(
      spec,
      { empty: 'empty selector is invalid for statefulset', unusable: '' },
      (labelled, field) =>
        validateStatefulTemplate(labelled, field, context, () =>
          toleratesPods || !has(CHECKS_PODS)
            ? []
            : validatePodTemplate(templateOfPods(spec), 'spec.template', context),
        ),
    ),
    ...validateLongRunningTemplate(spec.template, 'StatefulSet'),
  ];
}

/** The template as its pods have it: with volumes of the claims, and names of their own. */
function templateOfPods({
  template = {},
  volumeClaimTemplates: claims = [],
}: StatefulSetSpec): PodTemplateSpec {
  const claimed = new Map(
    claims.map(({ metadata }) => {
      const name = metadata?.name ?? '';
      return [name, { name, persistentVolumeClaim: { claimName: name } }];
    }),
  );
  const volumes = (template.spec?.volumes ?? []).filter(({ name = '' }) => !claimed.has(name));
  const { hostname: _hostname, subdomain: _subdomain, ...spec } = template.spec ?? {};
  return { ...template, spec: { ...spec, volumes: [...claimed.values(), ...volumes] } };
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

const MUTABLE: readonly (Life & { readonly name: keyof StatefulSetSpec })[] = [
  { name: 'replicas' },
  { name: 'ordinals' },
  { name: 'template' },
  { name: 'updateStrategy' },
  { name: 'revisionHistoryLimit', since: '1.33' },
  { name: 'persistentVolumeClaimRetentionPolicy' },
  { name: 'minReadySeconds' },
];

function validateOthersUnchanged(object: StatefulSet, old: StatefulSet, { has }: RuleContext): FieldError[] {
  const mutable = MUTABLE.filter(has).map(({ name }) => name);
  const others = ({ spec = {} }: StatefulSet): StatefulSetSpec => {
    const rest = { ...spec };
    for (const name of mutable) delete rest[name];
    return rest;
  };
  const names = mutable.map((name) => `'${name}'`);
  if (semanticEqual(others(object), others(old), internalTypes.type('apps_v1.StatefulSetSpec'))) return [];
  return [
    forbidden(
      'spec',
      `updates to statefulset spec for fields other than ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are forbidden`,
    ),
  ];
}

/** The releases that report each member that cannot change, instead of all others. */
const REPORTS_MEMBERS: Life = { since: '1.37' };
const IMMUTABLE_MEMBERS = ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const;

const validateMembersUnchanged = ({ spec = {} }: StatefulSet, old: StatefulSet): FieldError[] =>
  IMMUTABLE_MEMBERS.flatMap((name) =>
    semanticEqual(
      { [name]: spec[name] },
      { [name]: old.spec?.[name] },
      internalTypes.type('apps_v1.StatefulSetSpec'),
    )
      ? []
      : [invalid(`spec.${name}`, spec[name] ?? null, IMMUTABLE)],
  );

export const createStatefulSetStrategy = (server: Pick<RuleContext, 'isOn'>): Strategy => ({
  defaulting: {
    byVersion: { v1: (object) => setDefaults(object as StatefulSet, server) },
    afterDecoding: nameClaimTemplates,
  },
  metadata: { validateName: nameIsLabel },
  dropDisabledFields(object: StatefulSet, old: StatefulSet | undefined, context) {
    dropDisabledFields(object, old, context);
    dropGatedFields(GATED, object.spec, old?.spec, context);
  },
  validate: (object: StatefulSet, context) => validateSpec(object, context),
  validateUpdate(object: StatefulSet, old: StatefulSet, context) {
    const options = withOldTemplate(context, old.spec?.template);
    const toleratesPods =
      context.has(CHECKS_PODS) && !isValid(() => validateSpec(old, options, { isUpdate: true }));
    return [
      ...validateSpec(object, options, { isUpdate: true, toleratesPods }),
      ...(context.has(REPORTS_MEMBERS)
        ? validateMembersUnchanged(object, old)
        : validateOthersUnchanged(object, old, context)),
    ];
  },
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
  warnings(object: StatefulSet, old, context) {
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
    return [...workloadWarnings(object, old, context), ...claims, ...negative];
  },
  managesGeneration: true,
  scale: { ...workloadScale, missesResource: true },
});

export const statefulSets = defineResource({
  group: 'apps',
  versions: ['v1'],
  resource: 'statefulsets',
  kind: 'StatefulSet',
  shortNames: ['sts'],
  categories: ['all'],
  subresources: [SCALE, 'status'],
  strategy: createStatefulSetStrategy,
  table: table<StatefulSet>(
    [NAME, column('Ready', 'Number of ready pods, of the desired ones.'), AGE, CONTAINERS, IMAGES],
    (object) => [
      nameOf(object),
      `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
      ageOf(object),
      ...containerCells(object.spec?.template?.spec),
    ],
  ),
});
