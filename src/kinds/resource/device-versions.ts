import type { VersionOptions } from '../builtin-resource.ts';

/** The versions of the kinds for devices. */
export const DEVICE_VERSIONS: readonly VersionOptions[] = [
  { name: 'v1', since: '1.34' },
  { name: 'v1beta2', since: '1.33', deprecation: { since: '1.36', unavailable: '1.39' } },
  {
    name: 'v1beta1',
    since: '1.32',
    isStoredAtOnce: true,
    deprecation: { since: '1.35', unavailable: '1.38' },
  },
  { name: 'v1alpha3', until: '1.34' },
];
