import type { ResourceClaim, ResourceClaimTemplate } from '../../model/generated/resource-v1beta1.ts';
import { internalTypes } from '../../model/internal-types.ts';
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
import { setDeviceClaimDefaults, validateDeviceClaim } from './device-requests.ts';
import { DEVICE_VERSIONS } from './device-versions.ts';

const validateSpecUpdate = (object: { spec?: object }, old: { spec?: object }, type: string): FieldError[] =>
  semanticEqual(object.spec ?? {}, old.spec ?? {}, internalTypes.type(`resource_v1beta1.${type}`))
    ? []
    : [invalidFormatted('spec', formatGo(`resource.${type}`, object.spec), IMMUTABLE)];

const setDefaults = ({ spec }: ResourceClaim): void => setDeviceClaimDefaults(spec?.devices);

function validateClaim(
  { spec }: ResourceClaim,
  old: ResourceClaim | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const errors = validateDeviceClaim(spec?.devices ?? {}, 'spec.devices', checker);
  return old === undefined ? errors : [...errors, ...validateSpecUpdate({ spec }, old, 'ResourceClaimSpec')];
}

const requestsOf = (spec: ResourceClaim['spec']): object[] => spec?.devices?.requests ?? [];
const ADMIN_ACCESS = { gate: 'DRAAdminAccess', member: 'adminAccess' };
const CLAIM_GATED: readonly GatedField<ResourceClaim>[] = [
  {
    ...ADMIN_ACCESS,
    parents: ({ spec, status }) => [...requestsOf(spec), ...(status?.allocation?.devices?.results ?? [])],
  },
  { gate: 'DRAResourceClaimDeviceStatus', member: 'devices', parents: ({ status }) => [status] },
];

export const resourceClaimStrategy = (checker: ExpressionChecker): Strategy => ({
  ...checkExpressions(validateClaim, checker),
  metadata: { checks: { update: ['whole', 'change'] } },
  deletion: { returnsObject: true },
  defaulting: { byVersion: { v1beta1: setDefaults, v1alpha3: setDefaults } },
  dropDisabledFields(object: ResourceClaim, old: ResourceClaim | undefined, context) {
    dropGatedFields(CLAIM_GATED, object, old, context);
    if (old !== undefined && context.subresource === 'status') dropDeallocatedDevices(object, old);
  },
  validateSubresource: { status: validateClaimStatus },
  status: { updatesMetadata: false },
  resetFields: { status: [['spec']] },
});

const setTemplateDefaults = ({ spec }: ResourceClaimTemplate): void =>
  setDeviceClaimDefaults(spec?.spec?.devices);

function validateTemplate(
  { spec = {} }: ResourceClaimTemplate,
  old: ResourceClaimTemplate | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const errors = [
    ...validateTemplateMetadata(spec.metadata ?? {}, 'spec.metadata'),
    ...validateDeviceClaim(spec.spec?.devices ?? {}, 'spec.spec.devices', checker),
  ];
  return old === undefined
    ? errors
    : [...errors, ...validateSpecUpdate({ spec }, old, 'ResourceClaimTemplateSpec')];
}

const TEMPLATE_GATED: readonly GatedField<ResourceClaimTemplate>[] = [
  { ...ADMIN_ACCESS, parents: ({ spec }) => requestsOf(spec?.spec) },
];

export const resourceClaimTemplateStrategy = (checker: ExpressionChecker): Strategy => ({
  ...checkExpressions(validateTemplate, checker),
  metadata: { checks: { update: ['whole', 'change'] } },
  deletion: { returnsObject: true },
  defaulting: { byVersion: { v1beta1: setTemplateDefaults, v1alpha3: setTemplateDefaults } },
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
  descriptions: {
    ResourceClaim: 'Request for devices.',
  },
});

export const resourceClaimTemplates = defineResource({
  group: 'resource.k8s.io',
  versions: DEVICE_VERSIONS,
  resource: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  strategy: resourceClaimTemplateStrategy(COMPILING_SELECTORS),
  table: NAME_AND_AGE,
  descriptions: {
    ResourceClaimTemplate: 'Template for the resource claims of pods.',
  },
});
