import type { IngressClass, IngressClassParametersReference } from '../../model/generated/networking-v1.ts';
import { nameIsLabel } from '../../model/name-syntax.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { type FieldError, forbidden, required, tooLong } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import {
  invalidTexts,
  validateDomainPrefixedPath,
  validateImmutable,
  validateOneOf,
} from '../validation/fields.ts';
import { validateTypedReference } from './typed-reference.ts';

const MAXIMUM_CONTROLLER_LENGTH = 250;

function defaultIngressClass(object: KubernetesObject): void {
  const parameters = (object as IngressClass).spec?.parameters;
  if (parameters !== undefined) parameters.scope ??= 'Cluster';
}

function validate({ spec = {} }: IngressClass): FieldError[] {
  const { controller = '', parameters } = spec;
  return [
    ...(Buffer.byteLength(controller) > MAXIMUM_CONTROLLER_LENGTH
      ? [tooLong('spec.controller', MAXIMUM_CONTROLLER_LENGTH)]
      : []),
    ...validateDomainPrefixedPath(controller, 'spec.controller'),
    ...(parameters === undefined ? [] : validateParameters(parameters, 'spec.parameters')),
  ];
}

function validateParameters(parameters: IngressClassParametersReference, field: string): FieldError[] {
  const { scope, namespace } = parameters;
  const errors = validateTypedReference(parameters, field);
  if (scope === undefined) return [...errors, required(`${field}.scope`)];
  errors.push(...validateOneOf(scope, ['Cluster', 'Namespace'], `${field}.scope`));
  if (scope === 'Cluster' && namespace !== undefined)
    errors.push(forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  if (scope !== 'Namespace') return errors;
  if (namespace === undefined)
    return [...errors, required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  return [...errors, ...invalidTexts(`${field}.namespace`, namespace, nameIsLabel(namespace, false))];
}

export const ingressClassStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  defaulting: { byVersion: { v1: defaultIngressClass } },
  validate: (object) => validate(object as IngressClass),
  validateUpdate: (object, old) => [
    ...validateImmutable(
      (object as IngressClass).spec?.controller ?? '',
      (old as IngressClass).spec?.controller ?? '',
      'spec.controller',
    ),
    ...validate(object as IngressClass),
  ],
  managesGeneration: true,
};

export const ingressClasses = defineResource({
  group: 'networking.k8s.io',
  versions: ['v1'],
  resource: 'ingressclasses',
  kind: 'IngressClass',
  scope: 'Cluster',
  strategy: ingressClassStrategy,
  table: table<IngressClass>(
    [
      NAME,
      column('Controller', 'Controller of the class.'),
      column('Parameters', 'Object with further parameters.'),
      AGE,
    ],
    (object) => {
      const parameters = object.spec?.parameters;
      const { kind = '', apiGroup } = parameters ?? {};
      const qualifiedKind = apiGroup === undefined ? kind : `${kind}.${apiGroup}`;
      return [
        nameOf(object),
        object.spec?.controller ?? '',
        parameters === undefined ? '<none>' : `${qualifiedKind}/${parameters.name ?? ''}`,
        ageOf(object),
      ];
    },
  ),
});
