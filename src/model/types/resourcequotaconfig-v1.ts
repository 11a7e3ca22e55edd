import type { Declarations } from '../declare.ts';

export default {
  family: 'resourcequotaconfig_v1',
  group: 'apiserver.config.k8s.io',
  version: 'v1',
  unpublished: true,
  types: `
Configuration kind=ResourceQuotaConfiguration
  limitedResources - []LimitedResource shown

LimitedResource
  apiGroup - string
  resource - string shown
  matchContains - []string
  matchScopes - []core_v1.ScopedResourceSelectorRequirement
`,
} satisfies Declarations;
