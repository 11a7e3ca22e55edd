import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { AuthenticationConfiguration } from '../../model/generated/apiserverconfig-v1beta1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import type { Scheme } from '../../model/scheme.ts';
import { type DocumentKind, readDocument } from './document.ts';

/** The releases with the version `v1` of the kind. */
const HAS_V1: Life = { since: '1.34' };

const KIND: DocumentKind = {
  kind: 'AuthenticationConfiguration',
  versions: {
    'apiserver.config.k8s.io/v1beta1': () =>
      internalTypes.type('apiserverconfig_v1beta1.AuthenticationConfiguration'),
    'apiserver.config.k8s.io/v1alpha1': () =>
      internalTypes.type('apiserverconfig_v1alpha1.AuthenticationConfiguration'),
  },
};

const KIND_WITH_V1: DocumentKind = {
  ...KIND,
  versions: {
    ...KIND.versions,
    'apiserver.config.k8s.io/v1': () =>
      internalTypes.type('apiserverconfig_v1beta1.AuthenticationConfiguration'),
  },
};

/**
 * Parses the text of `--authentication-config`. All versions have the same members. Consistency between
 * members is checked when the configuration is compiled.
 * @throws ConfigurationError for an invalid document
 */
export function readAuthenticationDocument(
  text: string,
  { has }: Pick<Scheme, 'has'>,
): AuthenticationConfiguration {
  if (text.trim() === '') throw new ConfigurationError('empty config data');
  return readDocument<AuthenticationConfiguration>(text, has(HAS_V1) ? KIND_WITH_V1 : KIND).content;
}
