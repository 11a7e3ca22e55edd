import type { ClusterTrustBundle } from '../../model/generated/certificates-v1alpha1.ts';
import { nameIsPathSegment, nameIsSubdomain } from '../../model/name-syntax.ts';
import { readPem } from '../../pki/pem.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import { textAt } from '../field-reader.ts';
import type { Strategy } from '../strategy.ts';
import { column, NAME, nameOf, table } from '../tables/define.ts';
import { orNone } from '../tables/format.ts';
import { isCertificate } from '../validation/ca-bundle.ts';
import { validateImmutable } from '../validation/fields.ts';
import { validateSignerName } from '../validation/signer-names.ts';

/** Replaces the bundle in errors, since it can be large. */
const BUNDLE_PLACEHOLDER = '<value omitted>';

/** Validates a bundle: certificates only, without duplicates. */
function bundleError(text: string): string | undefined {
  const blocks = readPem(text);
  const seen = new Set<string>();
  for (const [index, { label, bytes, hasHeaders }] of blocks.entries()) {
    if (label !== 'CERTIFICATE') return `entry ${index} has bad block type: ${label}`;
    if (hasHeaders) return `entry ${index} has PEM block headers`;
    if (!isCertificate(bytes)) return `entry ${index} does not parse as X.509`;
    const key = bytes.toString('base64');
    if (seen.has(key)) return `duplicate trust anchor (index ${index})`;
    seen.add(key);
  }
  return blocks.length === 0 ? 'at least one trust anchor must be provided' : undefined;
}

/**
 * Validates the name of a bundle: that of a signer's bundle has the signer as its prefix, such as
 * `example.com:signer:rest`.
 */
function validateNameOfSigner(name: string, signerName: string): FieldError[] {
  if (signerName === '')
    return name.includes(':')
      ? [
          invalid(
            'metadata.name',
            name,
            'ClusterTrustBundle without signer name must not have ":" in its name',
          ),
        ]
      : [];
  const prefix = `${signerName.replaceAll('/', ':')}:`;
  if (!name.startsWith(prefix))
    return [
      invalid(
        'metadata.name',
        name,
        `ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`,
      ),
    ];
  return nameIsSubdomain(name.slice(prefix.length), false).map((text) =>
    invalid('metadata.name', name, text),
  );
}

function validate({ metadata, spec = {} }: ClusterTrustBundle): FieldError[] {
  const { signerName = '', trustBundle = '' } = spec;
  const error = bundleError(trustBundle);
  return [
    ...validateNameOfSigner(metadata?.name ?? '', signerName),
    ...(signerName === '' ? [] : validateSignerName(signerName, 'spec.signerName')),
    ...(error === undefined ? [] : [invalid('spec.trustBundle', BUNDLE_PLACEHOLDER, error)]),
  ];
}

/** The name rule depends on the signer, so `validateName` only requires a path segment. */
export const clusterTrustBundleStrategy: Strategy = {
  metadata: { validateName: nameIsPathSegment },
  validate,
  validateUpdate: (object: ClusterTrustBundle, old: ClusterTrustBundle) => [
    ...validate(object),
    ...validateImmutable(object.spec?.signerName ?? '', old.spec?.signerName ?? '', 'spec.signerName'),
  ],
  requiresResourceVersion: true,
};

export const clusterTrustBundles = defineResource({
  group: 'certificates.k8s.io',
  versions: [
    { name: 'v1', since: '1.37' },
    {
      name: 'v1beta1',
      since: '1.33',
      isStoredAtOnce: true,
      deprecation: {
        since: '1.37',
        unavailable: '1.40',
        replacement: 'certificates.k8s.io/v1 ClusterTrustBundle',
      },
    },
    { name: 'v1alpha1', until: '1.37', deprecation: { since: '1.34', unavailable: '1.37' } },
  ],
  resource: 'clustertrustbundles',
  kind: 'ClusterTrustBundle',
  gate: 'ClusterTrustBundle',
  scope: 'Cluster',
  strategy: clusterTrustBundleStrategy,
  fieldSelectors: {
    'spec.signerName': textAt('spec', 'signerName'),
  },
  table: table<ClusterTrustBundle>(
    [NAME, column('SignerName', 'Signer whose certificates it verifies.')],
    (object) => [nameOf(object), orNone(object.spec?.signerName)],
  ),
});
