import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { AuthenticationConfiguration } from '../../model/generated/apiserverconfig-v1beta1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { type DocumentKind, readDocument } from './document.ts';

const KIND: DocumentKind = {
  kind: 'AuthenticationConfiguration',
  versions: {
    'apiserver.config.k8s.io/v1beta1': () =>
      internalTypes.type('apiserverconfig_v1beta1.AuthenticationConfiguration'),
    'apiserver.config.k8s.io/v1alpha1': () =>
      internalTypes.type('apiserverconfig_v1alpha1.AuthenticationConfiguration'),
  },
};

/**
 * Parses the text of `--authentication-config`. Both versions have the same members. Consistency between
 * members is checked when the configuration is compiled.
 * @throws ConfigurationError for an invalid document
 */
export function readAuthenticationDocument(text: string): AuthenticationConfiguration {
  if (text.trim() === '') throw new ConfigurationError('empty config data');
  return readDocument<AuthenticationConfiguration>(text, KIND).content;
}
