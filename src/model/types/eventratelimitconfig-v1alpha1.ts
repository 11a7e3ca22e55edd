import type { Declarations } from '../declare.ts';

export default {
  family: 'eventratelimitconfig_v1alpha1',
  group: 'eventratelimit.admission.k8s.io',
  version: 'v1alpha1',
  unpublished: true,
  types: `
Configuration kind
  limits - []Limit shown

Limit
  type - string shown
  qps - int32 shown
  burst - int32 shown
  cacheSize - int32
`,
} satisfies Declarations;
