import type { VersionOptions } from '../builtin-resource.ts';

/** The versions of mutating admission policies and their bindings. */
export const mutatingPolicyVersions = (kind: string): readonly VersionOptions[] => [
  { name: 'v1', since: '1.36' },
  {
    name: 'v1beta1',
    since: '1.34',
    deprecation: {
      since: '1.37',
      unavailable: '1.40',
      replacement: `admissionregistration.k8s.io/v1 ${kind}`,
    },
  },
  { name: 'v1alpha1', since: '1.32', deprecation: { since: '1.35', unavailable: '1.38' } },
];
