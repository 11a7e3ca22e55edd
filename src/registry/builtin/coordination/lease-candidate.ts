import type { LeaseCandidate } from '../../../model/generated/coordination-v1alpha2.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { defineResource } from '../../builtin-resource.ts';
import type { Strategy } from '../../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../../tables/define.ts';
import { invalidTexts, validateImmutable } from '../../validation/fields.ts';
import { dns1123Subdomain, qualifiedName } from '../../validation/names.ts';

const STRATEGIES = ['OldestEmulationVersion'];
const VERSION = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)(\.(0|[1-9]\d*))?(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

function validate({ spec = {} }: LeaseCandidate): FieldError[] {
  const { leaseName = '', binaryVersion = '', emulationVersion = '', strategy = '' } = spec;
  const version = (value: string, field: string): FieldError[] =>
    VERSION.test(value) ? [] : [invalid(field, value, 'must be a semantic version')];
  return [
    ...(leaseName === ''
      ? [required('spec.leaseName')]
      : invalidTexts('spec.leaseName', leaseName, dns1123Subdomain(leaseName))),
    ...(binaryVersion === ''
      ? [required('spec.binaryVersion')]
      : version(binaryVersion, 'spec.binaryVersion')),
    ...(emulationVersion === ''
      ? STRATEGIES.includes(strategy)
        ? [required('spec.emulationVersion')]
        : []
      : version(emulationVersion, 'spec.emulationVersion')),
    ...validateStrategy(strategy, 'spec.strategy'),
    ...(isOlder(binaryVersion, emulationVersion)
      ? [invalid('spec.binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`')]
      : []),
  ];
}

/**
 * Validates a strategy: a known one, or a name with a domain. The path repeats its last part, as in
 * kube-apiserver.
 */
export function validateStrategy(strategy: string, field: string): FieldError[] {
  if (strategy === '') return [required(field)];
  if (STRATEGIES.includes(strategy)) return [];
  const parts = strategy.split('/');
  if (parts.length < 2) return [notSupported(`${field}.strategy`, strategy, STRATEGIES)];
  return invalidTexts(field, strategy, qualifiedName(strategy));
}

/** Compares semantic versions by major, minor and patch; false unless both are valid. */
function isOlder(version: string, other: string): boolean {
  const [left, right] = [VERSION.exec(version), VERSION.exec(other)];
  if (left === null || right === null) return false;
  const parts = (match: RegExpExecArray): number[] =>
    [match[1], match[2], match[4]].map((part) => Number(part ?? 0));
  const differing = parts(left).findIndex((part, index) => part !== parts(right)[index]);
  return differing >= 0 && parts(left)[differing]! < parts(right)[differing]!;
}

export const leaseCandidateStrategy: Strategy = {
  validate: (object) => validate(object as LeaseCandidate),
  validateUpdate: (object, old) => [
    ...validate(object as LeaseCandidate),
    ...validateImmutable(
      (object as LeaseCandidate).spec?.leaseName,
      (old as LeaseCandidate).spec?.leaseName,
      'spec.leaseName',
    ),
  ],
  createsOnUpdate: true,
  requiresResourceVersion: true,
  allowsUnqualifiedFinalizers: true,
};

export const leaseCandidates = defineResource({
  group: 'coordination.k8s.io',
  versions: ['v1alpha2'],
  resource: 'leasecandidates',
  kind: 'LeaseCandidate',
  strategy: leaseCandidateStrategy,
  table: table<LeaseCandidate>(
    [
      NAME,
      column('LeaseName', 'Lease for which it is a candidate.'),
      column('BinaryVersion', 'Binary version.'),
      column('EmulationVersion', 'Emulation version.'),
      AGE,
    ],
    (object) => [
      nameOf(object),
      object.spec?.leaseName ?? '',
      object.spec?.binaryVersion ?? '',
      object.spec?.emulationVersion ?? '',
      ageOf(object),
    ],
  ),
  descriptions: {
    LeaseCandidate: 'Candidate for a lease in coordinated leader election.',
  },
});
