import { X509Certificate } from 'node:crypto';
import type { Issuer } from '../../model/generated/apiserverconfig-v1beta1.ts';
import { trimEnd } from '../../model/trim-end.ts';
import { readPem } from '../../pki/pem.ts';
import { duplicate, type FieldError, invalid, required } from '../../status/field-error.ts';

const MATCH_ANY = 'MatchAny';

/** Validates the issuer of an authenticator. @param path field path of the issuer */
export function validateIssuer(issuer: Issuer, path: string): FieldError[] {
  const { url = '', discoveryURL = '', certificateAuthority = '' } = issuer;
  return [
    ...(url === '' ? [required(`${path}.url`, 'URL is required')] : validateUrl(url, `${path}.url`)),
    ...(discoveryURL === '' ? [] : validateDiscovery(url, discoveryURL, `${path}.discoveryURL`)),
    ...validateAudiences(issuer, path),
    ...(certificateAuthority === ''
      ? []
      : validateAuthority(certificateAuthority, `${path}.certificateAuthority`)),
  ];
}

function validateDiscovery(url: string, discoveryUrl: string, path: string): FieldError[] {
  const same = url !== '' && trimEnd(url, '/') === trimEnd(discoveryUrl, '/');
  return [
    ...(same ? [invalid(path, discoveryUrl, 'discoveryURL must be different from URL')] : []),
    ...validateUrl(discoveryUrl, path),
  ];
}

/** Validates an https URL without user information, query and fragment. */
function validateUrl(text: string, path: string): FieldError[] {
  if (!URL.canParse(text)) {
    const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0];
    return [
      invalid(
        path,
        text,
        scheme === undefined ? 'URL scheme must be https' : `parse ${JSON.stringify(text)}: invalid URL`,
      ),
    ];
  }
  const { protocol, username, password, search, hash } = new URL(text);
  const messages: string[] = [];
  if (protocol !== 'https:') messages.push('URL scheme must be https');
  if (username !== '' || password !== '') messages.push('URL must not contain a username or password');
  if (search !== '') messages.push('URL must not contain a query');
  if (hash !== '') messages.push('URL must not contain a fragment');
  return messages.map((message) => invalid(path, text, message));
}

function validateAudiences(
  { audiences = [], audienceMatchPolicy: policy = '' }: Issuer,
  path: string,
): FieldError[] {
  if (audiences.length === 0)
    return [required(`${path}.audiences`, `at least one ${path}.audiences is required`)];
  const errors: FieldError[] = [];
  audiences.forEach((audience, index) => {
    if (audience === '') errors.push(required(`${path}.audiences[${index}]`, "audience can't be empty"));
    if (audiences.indexOf(audience) < index) errors.push(duplicate(`${path}.audiences[${index}]`, audience));
  });
  const policyPath = `${path}.audienceMatchPolicy`;
  if (audiences.length > 1 && policy !== MATCH_ANY)
    errors.push(invalid(policyPath, policy, 'audienceMatchPolicy must be MatchAny for multiple audiences'));
  if (audiences.length === 1 && policy !== '' && policy !== MATCH_ANY)
    errors.push(
      invalid(policyPath, policy, 'audienceMatchPolicy must be empty or MatchAny for single audience'),
    );
  return errors;
}

function validateAuthority(pem: string, path: string): FieldError[] {
  const blocks = readPem(pem).filter(({ label }) => label === 'CERTIFICATE');
  if (blocks.length === 0)
    return [invalid(path, '<omitted>', 'data does not contain any valid RSA or ECDSA certificates')];
  try {
    for (const { bytes } of blocks) new X509Certificate(bytes);
    return [];
  } catch {
    return [invalid(path, '<omitted>', 'x509: malformed certificate')];
  }
}
