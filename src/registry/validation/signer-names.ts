import { type FieldError, invalid, required, tooLong } from '../../status/field-error.ts';
import { dns1123Label, dns1123Subdomain, MAXIMUM_SUBDOMAIN_LENGTH } from './names.ts';

const MAXIMUM_SIGNER_NAME_LENGTH = 571;

/**
 * Validates a signer name such as `example.com/signer-name`: a domain of at least two labels and a path that
 * is a subdomain.
 */
export function validateSignerName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const segments = name.split('/');
  if (segments.length !== 2)
    return [
      invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  const [domain, path] = segments as [string, string];
  const labels = domain.split('.');
  return [
    ...(Buffer.byteLength(domain) > MAXIMUM_SUBDOMAIN_LENGTH
      ? [tooLong(field, MAXIMUM_SUBDOMAIN_LENGTH)]
      : []),
    ...labels.flatMap((label) =>
      dns1123Label(label).map((text) =>
        invalid(field, domain, `validating label ${JSON.stringify(label)}: ${text}`),
      ),
    ),
    ...(labels.length < 2
      ? [invalid(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...(Buffer.byteLength(name) > MAXIMUM_SIGNER_NAME_LENGTH
      ? [tooLong(field, MAXIMUM_SIGNER_NAME_LENGTH)]
      : []),
    ...dns1123Subdomain(path).map((text) =>
      invalid(field, path, `validating label ${JSON.stringify(path)}: ${text}`),
    ),
  ];
}
