import type { Lease } from '../../model/generated/coordination-v1.ts';
import { type FieldError, forbidden } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { validateNonNegative, validatePositive } from '../validation/fields.ts';
import { validateStrategy } from './lease-candidate.ts';

function validate({ spec = {} }: Lease): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = spec;
  return [
    ...validatePositive(leaseDurationSeconds, 'spec.leaseDurationSeconds'),
    ...validateNonNegative(leaseTransitions, 'spec.leaseTransitions'),
    ...(strategy === undefined ? [] : validateStrategy(strategy, 'spec.strategy')),
    ...(preferredHolder && !strategy
      ? [forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
      : []),
  ];
}

const GATED: readonly GatedField<NonNullable<Lease['spec']>>[] = ['strategy', 'preferredHolder'].map(
  (member) => ({
    gate: 'CoordinatedLeaderElection',
    member,
    parents: (spec) => [spec],
  }),
);

export const leaseStrategy: Strategy = {
  dropDisabledFields: (object: Lease, old: Lease | undefined, context) =>
    dropGatedFields(GATED, object.spec, old?.spec, context),
  validate: (object) => validate(object as Lease),
  validateUpdate: (object) => validate(object as Lease),
  createsOnUpdate: true,
  requiresResourceVersion: true,
  metadata: { allowsUnqualifiedFinalizers: true },
};

export const leases = defineResource({
  group: 'coordination.k8s.io',
  versions: ['v1'],
  resource: 'leases',
  kind: 'Lease',
  strategy: leaseStrategy,
  table: table<Lease>([NAME, column('Holder', 'Current holder of the lease.'), AGE], (object) => [
    nameOf(object),
    object.spec?.holderIdentity ?? '',
    ageOf(object),
  ]),
});
