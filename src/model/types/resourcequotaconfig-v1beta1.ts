import type { Declarations } from '../declare.ts';

export default {
  family: 'resourcequotaconfig_v1beta1',
  group: 'resourcequota.admission.k8s.io',
  version: 'v1beta1',
  unpublished: true,
  types: `
Configuration kind
  limitedResources - []LimitedResource shown

LimitedResource
  apiGroup - string
  resource - string shown
  matchContains - []string
  matchScopes - []core_v1.ScopedResourceSelectorRequirement
`,
} satisfies Declarations;
