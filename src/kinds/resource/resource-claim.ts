import type { ResourceClaim, ResourceClaimTemplate } from '../../model/generated/resource-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalidFormatted } from '../../status/field-error.ts';
import { checkExpressions } from '../admissionregistration/expression-checks.ts';
import type { ExpressionChecker } from '../admissionregistration/expressions.ts';
import { defineResource } from '../builtin-resource.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, NAME_AND_AGE, nameOf, table } from '../tables/define.ts';
import { IMMUTABLE } from '../validation/fields.ts';
import { formatGo } from '../validation/go-value.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { validateTemplateMetadata } from '../validation/template-metadata.ts';
import { dropDeallocatedDevices, validateClaimStatus } from './claim-status.ts';
import { COMPILING_SELECTORS } from './device-expressions.ts';
import { claimConversion, HAS_LATER_FORM, templateConversion } from './device-forms.ts';
import { BINDING, CONSUMABLE } from './device-gates.ts';
import { setFlatDefaults, setLaterDefaults, validateDeviceClaim } from './device-requests.ts';
import { DEVICE_VERSIONS } from './device-versions.ts';

/** The releases that report of an update of a claim only that its specification changes. */
const CHECKS_CHANGE_ONLY: Life = { since: '1.35' };

const validateSpecUpdate = (object: { spec?: object }, old: { spec?: object }, type: string): FieldError[] =>
  semanticEqual(object.spec ?? {}, old.spec ?? {}, internalTypes.type(`resource_v1beta1.${type}`))
    ? []
    : [invalidFormatted('spec', formatGo(`resource.${type}`, object.spec), IMMUTABLE)];

function validateClaim(
  { spec }: ResourceClaim,
  old: ResourceClaim | undefined,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] {
  const changes = old === undefined ? [] : validateSpecUpdate({ spec }, old, 'ResourceClaimSpec');
  if (old !== undefined && context.has(CHECKS_CHANGE_ONLY)) return changes;
  return [...validateDeviceClaim(spec?.devices ?? {}, 'spec.devices', checker, context), ...changes];
}

/** The parts of requests that have the members of a selection, in either form. */
const selectionsOf = (spec: ResourceClaim['spec']): object[] =>
  (spec?.devices?.requests ?? []).flatMap((request) => [
    request,
    ...(request.exactly === undefined ? [] : [request.exactly]),
    ...(request.firstAvailable ?? []),
  ]);
const resultsOf = ({ status }: ResourceClaim) => status?.allocation?.devices?.results ?? [];

const ADMIN_ACCESS = { gate: 'DRAAdminAccess', member: 'adminAccess' };

/** The gated fields of requests. @param specOf the specification of the claim */
const requestFields = <Root>(specOf: (root: Root) => ResourceClaim['spec']): readonly GatedField<Root>[] => [
  {
    gate: 'DRAPrioritizedList',
    since: '1.33',
    member: 'firstAvailable',
    parents: (root) => specOf(root)?.devices?.requests ?? [],
  },
  {
    gate: 'DRADeviceTaints',
    since: '1.33',
    member: 'tolerations',
    parents: (root) => selectionsOf(specOf(root)),
  },
  { ...CONSUMABLE, member: 'capacity', parents: (root) => selectionsOf(specOf(root)) },
  {
    ...CONSUMABLE,
    member: 'distinctAttribute',
    parents: (root) => specOf(root)?.devices?.constraints ?? [],
  },
];

const CLAIM_GATED: readonly GatedField<ResourceClaim>[] = [
  { ...ADMIN_ACCESS, parents: (claim) => [...selectionsOf(claim.spec), ...resultsOf(claim)] },
  { gate: 'DRAResourceClaimDeviceStatus', member: 'devices', parents: ({ status }) => [status] },
  ...requestFields<ResourceClaim>(({ spec }) => spec),
  { ...CONSUMABLE, member: 'shareID', parents: resultsOf },
  { ...CONSUMABLE, member: 'consumedCapacity', parents: resultsOf },
  { ...BINDING, member: 'allocationTimestamp', parents: ({ status }) => [status?.allocation] },
  { ...BINDING, member: 'bindingConditions', parents: resultsOf },
  { ...BINDING, member: 'bindingFailureConditions', parents: resultsOf },
];

/** Defaults and conversions of a kind with requests, in a release that stores one form of them. */
const formsOf = (
  { has }: Pick<RuleContext, 'has'>,
  { later, flat }: typeof claimConversion,
  devicesOf: (object: KubernetesObject) => object | undefined,
): Pick<Strategy, 'defaulting' | 'conversions'> => {
  const setFlat = (object: KubernetesObject) => setFlatDefaults(devicesOf(object), { has });
  const setLater = (object: KubernetesObject) => setLaterDefaults(devicesOf(object));
  return {
    defaulting: { byVersion: { v1: setLater, v1beta2: setLater, v1beta1: setFlat, v1alpha3: setFlat } },
    conversions: has(HAS_LATER_FORM) ? { v1beta1: later } : { v1beta2: flat },
  };
};

export const resourceClaimStrategy =
  (checker: ExpressionChecker) =>
  (server: Pick<RuleContext, 'has'>): Strategy => ({
    ...checkExpressions(validateClaim, checker),
    ...formsOf(server, claimConversion, (object) => (object as ResourceClaim).spec?.devices),
    metadata: { checks: { update: ['whole', 'change'] } },
    deletion: { returnsObject: true },
    dropDisabledFields(object: ResourceClaim, old: ResourceClaim | undefined, context) {
      dropGatedFields(CLAIM_GATED, object, old, context);
      if (old !== undefined && context.subresource === 'status') dropDeallocatedDevices(object, old);
    },
    validateSubresource: { status: validateClaimStatus },
    status: { updatesMetadata: false },
    resetFields: { status: [['spec']] },
  });

function validateTemplate(
  { spec = {} }: ResourceClaimTemplate,
  old: ResourceClaimTemplate | undefined,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] {
  const errors = [
    ...validateTemplateMetadata(spec.metadata ?? {}, 'spec.metadata'),
    ...validateDeviceClaim(spec.spec?.devices ?? {}, 'spec.spec.devices', checker, context),
  ];
  return old === undefined
    ? errors
    : [...errors, ...validateSpecUpdate({ spec }, old, 'ResourceClaimTemplateSpec')];
}

const TEMPLATE_GATED: readonly GatedField<ResourceClaimTemplate>[] = [
  { ...ADMIN_ACCESS, parents: ({ spec }) => selectionsOf(spec?.spec) },
  ...requestFields<ResourceClaimTemplate>(({ spec }) => spec?.spec),
];

export const resourceClaimTemplateStrategy =
  (checker: ExpressionChecker) =>
  (server: Pick<RuleContext, 'has'>): Strategy => ({
    ...checkExpressions(validateTemplate, checker),
    ...formsOf(server, templateConversion, (object) => (object as ResourceClaimTemplate).spec?.spec?.devices),
    metadata: { checks: { update: ['whole', 'change'] } },
    deletion: { returnsObject: true },
    dropDisabledFields: (object: ResourceClaimTemplate, old: ResourceClaimTemplate | undefined, context) =>
      dropGatedFields(TEMPLATE_GATED, object, old, context),
  });

/** Formats the state of a claim, including its deletion. */
function claimState({ metadata, status }: ResourceClaim): string {
  const deleted = metadata?.deletionTimestamp !== undefined;
  if (status?.allocation === undefined) return deleted ? 'deleted' : 'pending';
  return [
    ...(deleted ? ['deleted'] : []),
    'allocated',
    ...((status.reservedFor?.length ?? 0) > 0 ? ['reserved'] : []),
  ].join(',');
}

export const resourceClaims = defineResource({
  group: 'resource.k8s.io',
  versions: DEVICE_VERSIONS,
  resource: 'resourceclaims',
  kind: 'ResourceClaim',
  subresources: ['status'],
  strategy: resourceClaimStrategy(COMPILING_SELECTORS),
  table: table<ResourceClaim>([NAME, column('State', 'State of the claim.'), AGE], (object) => [
    nameOf(object),
    claimState(object),
    ageOf(object),
  ]),
});

export const resourceClaimTemplates = defineResource({
  group: 'resource.k8s.io',
  versions: DEVICE_VERSIONS,
  resource: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  strategy: resourceClaimTemplateStrategy(COMPILING_SELECTORS),
  table: NAME_AND_AGE,
});
