import { quote } from '../../errors/quote.ts';
import type { APIService, ServiceReference } from '../../model/generated/apiregistration-v1.ts';
import { dns1035Label, dns1123Subdomain, nameIsPathSegment, portNumber } from '../../model/name-syntax.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';

const MAXIMUM_GROUP_PRIORITY = 20_000;
const MAXIMUM_VERSION_PRIORITY = 1000;

function setDefaults({ spec }: APIService): void {
  if (spec?.service !== undefined) spec.service.port ??= 443;
}

/** Marks local APIServices as available. */
function markLocal(object: APIService, { now }: StrategyContext): void {
  if (object.spec?.service !== undefined) return;
  object.status = {
    conditions: [
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: now(),
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ],
  };
}

function validatePriority(value: number, highest: number, field: string): FieldError[] {
  return value > 0 && value <= highest
    ? []
    : [invalid(field, value, `must be positive and less than ${highest}`)];
}

/** Validates that the name is `<version>.<group>`. */
function validateName(name: string, prefix: boolean, { spec = {} }: APIService = {}): string[] {
  const texts = nameIsPathSegment(name, prefix);
  const expected = `${spec.version ?? ''}.${spec.group ?? ''}`;
  return texts.length > 0 || name === expected
    ? texts
    : [`must be \`spec.version+"."+spec.group\`: ${quote(expected)}`];
}

function validate({ spec = {} }: APIService): FieldError[] {
  const { group = '', version = '', service, groupPriorityMinimum = 0, versionPriority = 0 } = spec;
  const legacy = 'only v1 may have an empty group and it better be legacy kube';
  return [
    ...(group === '' && version !== 'v1' ? [required('spec.group', legacy)] : []),
    ...(group === '' ? [] : invalidTexts('spec.group', group, dns1123Subdomain(group))),
    ...invalidTexts('spec.version', version, dns1035Label(version)),
    ...validatePriority(groupPriorityMinimum, MAXIMUM_GROUP_PRIORITY, 'spec.groupPriorityMinimum'),
    ...validatePriority(versionPriority, MAXIMUM_VERSION_PRIORITY, 'spec.versionPriority'),
    ...(service === undefined ? validateLocal(spec) : validateRemote(service, spec)),
  ];
}

function validateLocal({
  caBundle = '',
  insecureSkipTLSVerify = false,
}: NonNullable<APIService['spec']>): FieldError[] {
  const bytes = `${Buffer.byteLength(caBundle, 'base64')} bytes`;
  return [
    ...(caBundle === ''
      ? []
      : [invalid('spec.caBundle', bytes, 'local APIServices may not have a caBundle')]),
    ...(insecureSkipTLSVerify
      ? [invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function validateRemote(
  { namespace, name, port = 0 }: ServiceReference,
  { caBundle, insecureSkipTLSVerify }: NonNullable<APIService['spec']>,
): FieldError[] {
  const portTexts = portNumber(port);
  return [
    ...(namespace ? [] : [required('spec.service.namespace')]),
    ...(name ? [] : [required('spec.service.name')]),
    ...(portTexts.length === 0
      ? []
      : [invalid('spec.service.port', port, `port is not valid: ${portTexts.join(', ')}`)]),
    ...(insecureSkipTLSVerify && caBundle
      ? [invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}

const validateStatus = ({ status = {} }: APIService): FieldError[] =>
  (status.conditions ?? []).flatMap(({ status: state }, index) =>
    validateOneOf(state, ['True', 'False', 'Unknown'], `status.conditions[${index}].status`),
  );

export const apiServiceStrategy: Strategy = {
  metadata: {
    allowsUnqualifiedFinalizers: true,
    validateName,
    checks: { update: ['change', 'whole'] },
  },
  defaulting: { byVersion: { v1: setDefaults } },
  prepareForCreate: markLocal,
  validate,
  validateUpdate: validate,
  validateSubresource: { status: validateStatus },
  requiresResourceVersion: true,
  status: { updatesMetadata: false },
};

function availability({ status }: APIService): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status ?? ''} (${condition.reason ?? ''})`;
}

export const apiServices = defineResource({
  group: 'apiregistration.k8s.io',
  versions: ['v1'],
  resource: 'apiservices',
  kind: 'APIService',
  categories: ['api-extensions'],
  scope: 'Cluster',
  subresources: ['status'],
  storage: { prefix: 'apiregistration.k8s.io/apiservices', encoding: 'json' },
  strategy: apiServiceStrategy,
  table: table<APIService>(
    [
      NAME,
      column('Service', 'Service that serves the API, or Local.'),
      column('Available', 'Whether the API is available, and the reason if not.'),
      AGE,
    ],
    (object) => {
      const service = object.spec?.service;
      return [
        nameOf(object),
        service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
        availability(object),
        ageOf(object),
      ];
    },
  ),
});
