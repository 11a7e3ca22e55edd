import type { Declarations } from '../declare.ts';

export default {
  family: 'webhookadmissionconfig_v1',
  group: 'apiserver.config.k8s.io',
  version: 'v1',
  unpublished: true,
  types: `
WebhookAdmission kind=WebhookAdmissionConfiguration
  kubeConfigFile - string shown
`,
} satisfies Declarations;
