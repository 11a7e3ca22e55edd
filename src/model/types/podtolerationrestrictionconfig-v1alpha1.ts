import type { Declarations } from '../declare.ts';

export default {
  family: 'podtolerationrestrictionconfig_v1alpha1',
  group: 'podtolerationrestriction.admission.k8s.io',
  version: 'v1alpha1',
  unpublished: true,
  types: `
Configuration kind
  default - []core_v1.Toleration
  whitelist - []core_v1.Toleration
`,
} satisfies Declarations;
