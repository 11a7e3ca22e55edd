import type { LeaseCandidate } from '../../model/generated/coordination-v1alpha2.ts';
import { configMapKey, qualifiedName } from '../../model/name-syntax.ts';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { invalidTexts, validateImmutable } from '../validation/fields.ts';
import {
  compareSemanticVersions,
  parseSemanticVersion,
  ZERO_VERSION,
} from '../validation/semantic-versions.ts';

const STRATEGIES = ['OldestEmulationVersion'];

function validate({ spec = {} }: LeaseCandidate): FieldError[] {
  const { leaseName = '', binaryVersion = '', emulationVersion = '', strategy = '' } = spec;
  const [binary, emulation] = [binaryVersion, emulationVersion].map(parseSemanticVersion);
  const malformed = (value: string, field: string): FieldError =>
    invalid(field, value, 'must be a valid semantic version');
  // A malformed version compares as 0.0.0.
  const isOlder =
    binaryVersion !== '' &&
    emulationVersion !== '' &&
    compareSemanticVersions(binary ?? ZERO_VERSION, emulation ?? ZERO_VERSION) < 0;
  const needsEmulation =
    STRATEGIES.includes(strategy) && compareSemanticVersions(emulation ?? ZERO_VERSION, ZERO_VERSION) === 0;
  return [
    ...(leaseName === '' ? [required('spec.leaseName')] : []),
    ...(emulationVersion !== '' && emulation === undefined
      ? [malformed(emulationVersion, 'spec.emulationVersion')]
      : []),
    ...(binaryVersion === ''
      ? [required('spec.binaryVersion')]
      : binary === undefined
        ? [malformed(binaryVersion, 'spec.binaryVersion')]
        : []),
    ...(isOlder
      ? [invalid('spec.binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`')]
      : []),
    ...(needsEmulation
      ? [required('spec.emulationVersion', "must be specified when `strategy` is 'OldestEmulationVersion'")]
      : []),
    ...(strategy === '' ? [required('spec.strategy')] : validateStrategy(strategy, 'spec.strategy')),
  ];
}

/**
 * Validates a strategy: a known one, or a name with a domain. The path repeats its last part, as in
 * kube-apiserver.
 */
export function validateStrategy(strategy: string, field: string): FieldError[] {
  if (STRATEGIES.includes(strategy)) return [];
  const path = `${field}.strategy`;
  if (!strategy.includes('/')) return [notSupported(path, strategy, STRATEGIES)];
  return invalidTexts(path, strategy, qualifiedName(strategy));
}

export const leaseCandidateStrategy: Strategy = {
  metadata: {
    validateName: configMapKey,
    allowsUnqualifiedFinalizers: true,
  },
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
};

export const leaseCandidates = defineResource({
  group: 'coordination.k8s.io',
  versions: [
    {
      name: 'v1beta1',
      since: '1.33',
      isStoredAtOnce: true,
      deprecation: { since: '1.36', unavailable: '1.39' },
    },
    { name: 'v1alpha2', since: '1.32', deprecation: { since: '1.35', unavailable: '1.38' } },
  ],
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
});
