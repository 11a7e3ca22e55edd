import { X509Certificate } from 'node:crypto';
import type { PodCertificateRequest } from '../../model/generated/certificates-v1beta1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { readPem } from '../../pki/pem.ts';
import {
  type FieldError,
  invalid,
  invalidFormatted,
  notSupported,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { formatMilliseconds } from '../../time/duration.ts';
import type { StrategyContext } from '../strategy.ts';
import { validateConditions } from '../validation/conditions.ts';
import { formatGoTime } from '../validation/format-value.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { readPublicKey, readRequest } from './public-keys.ts';

/** The types of conditions that decide about a request. */
export const DECISIONS = ['Issued', 'Denied', 'Failed'];
const CHAIN = 'status.certificateChain';
const NOT_BEFORE = 'status.notBefore';
const NOT_AFTER = 'status.notAfter';
const REFRESH = 'status.beginRefreshAt';
const MAXIMUM_CHAIN_BYTES = 100 * 1024;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How far from now a certificate begins, in milliseconds. */
const MAXIMUM_SKEW = 5 * MINUTE;
/** Time between the beginning of a certificate, its renewal and its end, in milliseconds. */
const MARGIN = 10 * MINUTE;

type Status = NonNullable<PodCertificateRequest['status']>;

const isDecided = ({ conditions = [] }: Status, ...types: string[]): boolean =>
  conditions.some(({ type = '', status }) => types.includes(type) && status === 'True');

export const statusesEqual = (one: Status, other: Status): boolean =>
  semanticEqual(one, other, internalTypes.type('certificates_v1beta1.PodCertificateRequestStatus'));

/** Validates the decision about a request, which is made once. */
export function validateDecision(
  { spec = {}, status = {} }: PodCertificateRequest,
  { status: before = {} }: PodCertificateRequest,
  context: StrategyContext,
): FieldError[] {
  const errors = [
    ...validateTypes(status),
    ...validateConditions(status.conditions ?? [], 'status.conditions', context),
  ];
  if (errors.length > 0) return errors;
  if (isDecided(before, ...DECISIONS))
    return validateEqual(
      status,
      before,
      'immutable after PodCertificateRequest is issued, denied, or failed',
    );
  if (isDecided(status, 'Denied', 'Failed'))
    return validateEqual(
      status,
      status.conditions === undefined ? {} : { conditions: status.conditions },
      'non-condition status fields must be empty when denying or failing the PodCertificateRequest',
    );
  if (isDecided(status, 'Issued')) return validateIssued(spec, status, context);
  return validateEqual(
    status,
    before,
    'status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
  );
}

const validateEqual = (status: Status, wanted: Status, text: string): FieldError[] =>
  statusesEqual(status, wanted) ? [] : [invalidFormatted('status', '', text)];

/** Validates that there is at most one condition, a decision that is true. Paths are those of kube-apiserver. */
function validateTypes({ conditions = [] }: Status): FieldError[] {
  let known = 0;
  return conditions.flatMap(({ type = '', status = '' }, index) => {
    const field = `status.conditions.[${index}]`;
    if (!DECISIONS.includes(type)) return [notSupported(`${field}.type`, type, DECISIONS)];
    known += 1;
    const text = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
    return [
      ...(known > 1 ? [invalid(`${field}.type`, type, text)] : []),
      ...(status === 'True' ? [] : [notSupported(`${field}.status`, status, ['True'])]),
    ];
  });
}

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

type Spec = NonNullable<PodCertificateRequest['spec']>;

function validateIssued(spec: Spec, status: Status, context: StrategyContext): FieldError[] {
  const { certificateChain: chain = '' } = status;
  if (Buffer.byteLength(chain) > MAXIMUM_CHAIN_BYTES) return [tooLong(CHAIN, MAXIMUM_CHAIN_BYTES)];
  const [leaf, ...others] = readPem(chain);
  const refuse = (text: string): FieldError[] => [invalid(CHAIN, chain, text)];
  if (leaf === undefined) return refuse('issued certificate chain must contain at least one certificate');
  if (leaf.label !== 'CERTIFICATE')
    return refuse('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  const certificate = readCertificate(leaf.bytes);
  if (certificate === undefined) return refuse('leaf certificate does not parse as valid X.509');
  if (!isFor(certificate, spec)) return refuse('leaf certificate was not issued to the requested public key');
  const times = validateTimes(certificate, spec, status, context);
  if (times.length > 0) return times;
  for (const { label, bytes } of others) {
    if (label !== 'CERTIFICATE')
      return refuse('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    if (readCertificate(bytes) === undefined)
      return refuse('intermediate certificate does not parse as valid X.509');
  }
  return [];
}

/** Whether a certificate is for the requested key. */
function isFor(certificate: X509Certificate, { stubPKCS10Request = '', pkixPublicKey = '' }: Spec): boolean {
  const key =
    stubPKCS10Request === ''
      ? readPublicKey(Buffer.from(pkixPublicKey, 'base64'))
      : readRequest(Buffer.from(stubPKCS10Request, 'base64'))?.key;
  return key?.equals(certificate.publicKey) === true;
}

/** Validates the times of a status against those of the certificate. */
function validateTimes(
  { validFrom, validTo }: X509Certificate,
  { maxExpirationSeconds = 0 }: Spec,
  { notBefore, notAfter, beginRefreshAt }: Status,
  { now }: StrategyContext,
): FieldError[] {
  if (!notBefore || !notAfter || !beginRefreshAt)
    return [
      ...(notBefore
        ? []
        : [required(NOT_BEFORE, 'must be present and consistent with the issued certificate')]),
      ...(notAfter
        ? []
        : [required(NOT_AFTER, 'must be present and consistent with the issued certificate')]),
      ...(beginRefreshAt
        ? []
        : [required(REFRESH, 'must be present and in the range [notbefore+10min, notafter-10min]')]),
    ];
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const refuse = (field: string, time: string, text: string): FieldError[] => [
    invalid(field, formatGoTime(time), text),
  ];
  if (Date.parse(notBefore) !== from)
    return refuse(NOT_BEFORE, notBefore, 'must be set to the NotBefore time encoded in the leaf certificate');
  if (Math.abs(from - Date.parse(now())) > MAXIMUM_SKEW)
    return refuse(NOT_BEFORE, notBefore, "must be set to within 5 minutes of kube-apiserver's current time");
  if (Date.parse(notAfter) !== to)
    return refuse(NOT_AFTER, notAfter, 'must be set to the NotAfter time encoded in the leaf certificate');
  const lifetime = formatMilliseconds(to - from);
  if (to - from < HOUR) return [invalid(CHAIN, lifetime, 'leaf certificate lifetime must be >= 1 hour')];
  if (to - from > maxExpirationSeconds * 1000) {
    const limit = `spec.maxExpirationSeconds (${maxExpirationSeconds})`;
    return [invalid(CHAIN, lifetime, `leaf certificate lifetime must be <= ${limit}`)];
  }
  if (Date.parse(beginRefreshAt) < from + MARGIN)
    return refuse(REFRESH, beginRefreshAt, 'must be at least 10 minutes after status.notBefore');
  if (Date.parse(beginRefreshAt) > to - MARGIN)
    return refuse(REFRESH, beginRefreshAt, 'must be at least 10 minutes before status.notAfter');
  return [];
}
