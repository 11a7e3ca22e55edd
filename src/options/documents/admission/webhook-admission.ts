import { isAbsolute } from 'node:path';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { WebhookAdmission } from '../../../model/generated/webhookadmissionconfig-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { formatFieldError, invalid } from '../../../status/field-error.ts';
import { type DocumentKind, readDocument, tolerateProblems } from '../document.ts';

const GROUP = 'apiserver.config.k8s.io';
const KINDS: readonly DocumentKind[] = [
  {
    kind: 'WebhookAdmissionConfiguration',
    versions: { [`${GROUP}/v1`]: () => internalTypes.type('webhookadmissionconfig_v1.WebhookAdmission') },
  },
  {
    kind: 'WebhookAdmission',
    versions: {
      [`${GROUP}/v1alpha1`]: () => internalTypes.type('webhookadmissionconfig_v1alpha1.WebhookAdmission'),
    },
  },
];

/**
 * Parses the document of MutatingAdmissionWebhook or ValidatingAdmissionWebhook.
 * @returns the kubeconfig with the credentials for webhooks
 * @throws ConfigurationError
 */
export function parseWebhookAdmission(text: string): string {
  const { kubeConfigFile = '' } = readDocument<WebhookAdmission>(text, KINDS, tolerateProblems).content;
  if (!isAbsolute(kubeConfigFile))
    throw new ConfigurationError(
      formatFieldError(invalid('kubeConfigFile', kubeConfigFile, 'must be an absolute file path')),
    );
  return kubeConfigFile;
}
