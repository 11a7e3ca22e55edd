import type { Lease } from '../../../model/generated/coordination-v1.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { invalid } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { validateNonNegative, validatePositive } from '../../validation/fields.ts';

function validate({ spec = {} }: Lease): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = spec;
  return [
    ...validatePositive(leaseDurationSeconds, 'spec.leaseDurationSeconds'),
    ...validateNonNegative(leaseTransitions, 'spec.leaseTransitions'),
    ...(preferredHolder && !strategy ? [invalid('spec.preferredHolder', preferredHolder, '`preferredHolder` is only allowed when `strategy` is set')] : []),
  ];
}

/** Coordinated leader election is off: its fields go, unless they were stored while it was on. */
function dropCoordination({ spec }: Lease, old: Lease | undefined): void {
  if (spec === undefined) return;
  if (old?.spec?.strategy === undefined) delete spec.strategy;
  if (old?.spec?.preferredHolder === undefined) delete spec.preferredHolder;
}

export const leaseStrategy: Strategy = {
  prepareForCreate: (object) => dropCoordination(object as Lease, undefined),
  prepareForUpdate: (object, old) => dropCoordination(object as Lease, old as Lease),
  validate: (object) => validate(object as Lease),
  validateUpdate: (object) => validate(object as Lease),
  createsOnUpdate: true,
  requiresResourceVersion: true,
};
