import type { Declarations } from '../declare.ts';

export default {
  family: 'webhookadmissionconfig_v1alpha1',
  group: 'apiserver.config.k8s.io',
  version: 'v1alpha1',
  unpublished: true,
  types: `
WebhookAdmission kind
  kubeConfigFile - string shown
`,
} satisfies Declarations;
