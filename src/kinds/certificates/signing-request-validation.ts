import { quote } from '../../errors/quote.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../model/generated/certificates-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { isSequence } from '../../pki/der.ts';
import { readPem } from '../../pki/pem.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  required,
} from '../../status/field-error.ts';
import { findDuplicateStrings } from '../validation/duplicates.ts';
import { validateOneOf } from '../validation/fields.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { validateSignerName } from '../validation/signer-names.ts';

const MINIMUM_SECONDS = 600;
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const DECISIONS = ['Approved', 'Denied', 'Failed'];

const decode = (bytes: string | undefined): Buffer => Buffer.from(bytes ?? '', 'base64');
/** Maximum size of the request in an error. */
const MAXIMUM_FORMATTED_BYTES = 4096;
/** Formats bytes like Go's `%#v`. */
const formatBytes = (bytes: Buffer, isAbsent: boolean): string => {
  const texts = [...bytes.subarray(0, MAXIMUM_FORMATTED_BYTES)].map((byte) => `0x${byte.toString(16)}`);
  return bytes.length === 0
    ? isAbsent
      ? '[]byte(nil)'
      : '[]byte{}'
    : `[]byte{${texts.join(', ')}${bytes.length > MAXIMUM_FORMATTED_BYTES ? ', …' : ''}}`;
};

function requestError(bytes: Buffer): string | undefined {
  const block = readPem(bytes.toString('latin1'))[0];
  if (block === undefined || block.label !== 'CERTIFICATE REQUEST')
    return 'PEM block type must be CERTIFICATE REQUEST';
  return isSequence(block.bytes) ? undefined : 'asn1: syntax error: data truncated';
}

export function validateSigningRequest(
  { spec = {}, status = {} }: CertificateSigningRequest,
  context: RuleContext,
): FieldError[] {
  const { usages = [], signerName = '', expirationSeconds } = spec;
  const bytes = decode(spec.request);
  const repeated = findDuplicateStrings(usages);
  const error = requestError(bytes);
  return [
    ...(error === undefined
      ? []
      : [invalidFormatted('spec.request', formatBytes(bytes, spec.request === undefined), error)]),
    ...(usages.length === 0 ? [required('spec.usages')] : []),
    ...usages.flatMap((usage, index) => [
      ...validateOneOf(usage, USAGES, `spec.usages[${index}]`),
      ...(repeated.has(index) ? [duplicate(`spec.usages[${index}]`, usage)] : []),
    ]),
    ...(signerName === LEGACY_SIGNER
      ? [invalid('spec.signerName', signerName, 'the legacy signerName is not allowed via this API version')]
      : validateSignerName(signerName, 'spec.signerName')),
    ...(expirationSeconds !== undefined && expirationSeconds < MINIMUM_SECONDS
      ? [
          invalid(
            'spec.expirationSeconds',
            expirationSeconds,
            `may not specify a duration less than ${MINIMUM_SECONDS} seconds (10 minutes)`,
          ),
        ]
      : []),
    ...validateConditions(status.conditions ?? [], 'status.conditions', context),
  ];
}

/** The releases that report contradicting conditions at their list. */
const NAMES_LIST: Life = { since: '1.34' };

function validateConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  field: string,
  { has }: RuleContext,
): FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  const repeated = findDuplicateStrings(types);
  // Report the second of two contradicting conditions.
  const contradiction = Math.max(types.indexOf('Approved'), types.indexOf('Denied'));
  const contradicts = types.includes('Approved') && types.includes('Denied');
  return conditions.flatMap(({ type = '', status = '' }, index) => {
    const path = `${field}[${index}]`;
    return [
      ...(type === '' ? [required(`${path}.type`)] : []),
      ...validateConditionStatus(type, status, `${path}.status`),
      ...(contradicts && index === contradiction
        ? [
            invalid(
              has(NAMES_LIST) ? field : `${path}.type`,
              type,
              'Approved and Denied conditions are mutually exclusive',
            ),
          ]
        : []),
      ...(repeated.has(index) ? [duplicate(`${path}.type`, type)] : []),
    ];
  });
}

/** Validates the status of a condition: decisions can only be `True`. */
function validateConditionStatus(type: string, status: string, field: string): FieldError[] {
  if (status === '') return [required(field)];
  return validateOneOf(status, DECISIONS.includes(type) ? ['True'] : ['True', 'False', 'Unknown'], field);
}

/**
 * Validates an update. Only `approval` may add approvals and denials, only `status` may set the certificate.
 */
export function validateSigningRequestUpdate(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  subresource: '' | 'status' | 'approval',
  context: RuleContext,
): FieldError[] {
  const errors = validateConditions(object.status?.conditions ?? [], 'status.conditions', context);
  const decided = ({ status }: CertificateSigningRequest, type: string) =>
    status?.conditions?.find((condition) => condition.type === type);
  for (const type of DECISIONS) {
    const before = decided(old, type);
    const now = decided(object, type);
    if (before !== undefined && now === undefined)
      errors.push(
        forbidden('status.conditions', `updates may not remove a condition of type ${quote(type)}`),
      );
    const isImmutable = subresource === '' || (subresource === 'status' && type !== 'Failed');
    if (before === undefined && now !== undefined && isImmutable)
      errors.push(forbidden('status.conditions', `updates may not add a condition of type ${quote(type)}`));
  }
  const certificate = decode(object.status?.certificate);
  if (semanticEqual(object.status?.certificate, old.status?.certificate)) return errors;
  if (old.status?.certificate && subresource === 'status')
    errors.push(forbidden('status.certificate', 'updates may not change existing certificate'));
  else if (subresource !== 'status')
    errors.push(forbidden('status.certificate', 'updates may not set certificate content'));
  else errors.push(...validateCertificate(certificate, 'status.certificate'));
  return errors;
}

/** Validates a certificate chain: certificate blocks only. */
function validateCertificate(bytes: Buffer, field: string): FieldError[] {
  const reject = (text: string): FieldError[] => [invalid(field, '<certificate data>', text)];
  const blocks = readPem(bytes.toString('latin1'));
  if (blocks.length === 0)
    return bytes.length === 0 ? [] : reject('must contain at least one CERTIFICATE PEM block');
  for (const [index, block] of blocks.entries()) {
    if (block.label !== 'CERTIFICATE')
      return reject(`only CERTIFICATE PEM blocks are allowed, found ${quote(block.label)}`);
    if (block.hasHeaders) return reject(`no PEM block headers are permitted`);
    if (!isSequence(block.bytes)) return reject(`unable to parse certificate in PEM block ${index}`);
  }
  return [];
}
