import type { Declarations } from '../declare.ts';

export default {
  family: 'podsecurityconfig_v1',
  group: 'pod-security.admission.config.k8s.io',
  version: 'v1',
  unpublished: true,
  types: `
PodSecurityConfiguration kind
  defaults - PodSecurityDefaults
  exemptions - PodSecurityExemptions

PodSecurityDefaults
  enforce - string
  enforce-version - string
  audit - string
  audit-version - string
  warn - string
  warn-version - string

PodSecurityExemptions
  usernames - []string
  namespaces - []string
  runtimeClasses - []string
`,
} satisfies Declarations;
