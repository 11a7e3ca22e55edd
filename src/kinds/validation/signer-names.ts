import { quote } from '../../errors/quote.ts';
import {
  dns1123Label,
  dns1123Subdomain,
  firstMalformedLabel,
  MAXIMUM_LABEL_LENGTH,
  MAXIMUM_SUBDOMAIN_LENGTH,
} from '../../model/name-syntax.ts';
import { type FieldError, invalid, required, tooLong } from '../../status/field-error.ts';

const MAXIMUM_SIGNER_NAME_LENGTH = 571;

/**
 * Validates a signer name such as `example.com/signer-name`: a domain of at least two labels and a path that
 * is a subdomain.
 */
export function validateSignerName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const segments = name.split('/', 3);
  if (segments.length !== 2)
    return [
      invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  const [domain, path] = segments as [string, string];
  return [
    ...(Buffer.byteLength(domain) > MAXIMUM_SUBDOMAIN_LENGTH
      ? [tooLong(field, MAXIMUM_SUBDOMAIN_LENGTH)]
      : []),
    ...firstProblem(domain, MAXIMUM_LABEL_LENGTH, dns1123Label, field),
    ...(!domain.includes('.')
      ? [invalid(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...(Buffer.byteLength(name) > MAXIMUM_SIGNER_NAME_LENGTH
      ? [tooLong(field, MAXIMUM_SIGNER_NAME_LENGTH)]
      : []),
    ...firstProblem(path, MAXIMUM_SUBDOMAIN_LENGTH, dns1123Subdomain, field),
  ];
}

/** The errors of the first label that is malformed; further ones would only repeat them. */
function firstProblem(
  value: string,
  maximum: number,
  check: (label: string) => string[],
  field: string,
): FieldError[] {
  const label = firstMalformedLabel(value, maximum);
  return label === undefined
    ? []
    : check(label).map((text) => invalid(field, value, `validating label ${quote(label)}: ${text}`));
}
