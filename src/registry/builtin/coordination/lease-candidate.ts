import type { LeaseCandidate } from '../../../model/generated/coordination-v1alpha2.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { invalidTexts, validateImmutable } from '../../validation/fields.ts';
import { dns1123Subdomain } from '../../validation/names.ts';

const STRATEGIES = ['OldestEmulationVersion'];
const VERSION = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)(\.(0|[1-9]\d*))?(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

function validate({ spec = {} }: LeaseCandidate): FieldError[] {
  const { leaseName = '', binaryVersion = '', emulationVersion = '', strategy = '' } = spec;
  const version = (value: string, field: string): FieldError[] => (VERSION.test(value) ? [] : [invalid(field, value, 'must be a semantic version')]);
  return [
    ...(leaseName === '' ? [required('spec.leaseName')] : invalidTexts('spec.leaseName', leaseName, dns1123Subdomain(leaseName))),
    ...(binaryVersion === '' ? [required('spec.binaryVersion')] : version(binaryVersion, 'spec.binaryVersion')),
    ...(emulationVersion === ''
      ? STRATEGIES.includes(strategy)
        ? [required('spec.emulationVersion')]
        : []
      : version(emulationVersion, 'spec.emulationVersion')),
    ...(strategy === '' ? [required('spec.strategy')] : []),
  ];
}

export const leaseCandidateStrategy: Strategy = {
  validate: (object) => validate(object as LeaseCandidate),
  validateUpdate: (object, old) => [
    ...validate(object as LeaseCandidate),
    ...validateImmutable((object as LeaseCandidate).spec?.leaseName, (old as LeaseCandidate).spec?.leaseName, 'spec.leaseName'),
  ],
  createsOnUpdate: true,
  requiresResourceVersion: true,
};
