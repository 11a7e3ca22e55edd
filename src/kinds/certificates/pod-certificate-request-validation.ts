import { constants, type KeyObject, verify } from 'node:crypto';
import type { PodCertificateRequest } from '../../model/generated/certificates-v1beta1.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Subdomain, qualifiedName } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid, invalidFormatted, required, tooLong } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { invalidTexts } from '../validation/fields.ts';
import { validateAnnotationSize } from '../validation/labels.ts';
import { validateSignerName } from '../validation/signer-names.ts';
import { keyProblem, readPublicKey, readRequest } from './public-keys.ts';

const KEY = 'spec.pkixPublicKey';
const PROOF = 'spec.proofOfPossession';
const REQUEST = 'spec.stubPKCS10Request';
/** Bytes of a key, a proof and a request. */
const MAXIMUM_BYTES = 10 * 1024;
const MAXIMUM_UID_BYTES = 128;
const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const MAXIMUM_SECONDS = 91 * DAY;
/** The domain of the signers of Kubernetes itself, whose certificates live for a day. */
const KUBERNETES_DOMAIN = 'kubernetes.io';
const isOfKubernetes = ([domain = '']: readonly string[]): boolean =>
  domain === KUBERNETES_DOMAIN || domain.endsWith(`.${KUBERNETES_DOMAIN}`);

/** The releases in which a request can be a PKCS #10 request instead of a key and a proof. */
const HAS_REQUEST: Life = { since: '1.36' };

type Spec = NonNullable<PodCertificateRequest['spec']>;

/** Validates a new request. */
export function validateCertificateRequest(
  { spec = {} }: PodCertificateRequest,
  context: RuleContext,
): FieldError[] {
  const { signerName = '', maxExpirationSeconds } = spec;
  const seconds = 'spec.maxExpirationSeconds';
  const named = [
    ...validateSignerName(signerName, 'spec.signerName'),
    ...validateUserAnnotations(spec.unverifiedUserAnnotations, 'spec.unverifiedUserAnnotations'),
    ...validateReference('pod', spec.podName, spec.podUID),
    ...validateReference('serviceAccount', spec.serviceAccountName, spec.serviceAccountUID),
    ...validateReference('node', spec.nodeName, spec.nodeUID),
  ];
  if (maxExpirationSeconds === undefined) return [...named, required(seconds, 'must be set')];
  const maximum = isOfKubernetes(signerName.split('/', 1)) ? DAY : MAXIMUM_SECONDS;
  return [
    ...named,
    ...(maxExpirationSeconds >= HOUR && maxExpirationSeconds <= maximum
      ? []
      : [invalid(seconds, maxExpirationSeconds, `must be in the range [${HOUR}, ${maximum}]`)]),
    ...(context.has(HAS_REQUEST) ? validateEither(spec) : validateKey(spec)),
  ];
}

/** Validates annotations for a signer: their keys have a domain. */
function validateUserAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  if (annotations === undefined) return [];
  return [
    ...checkEach(annotations, { place: field, items: () => Object.keys(annotations) }, (given) => {
      const key = given.toLowerCase();
      if (key === '') return [required(field)];
      const texts = qualifiedName(key);
      if (texts.length > 0) return invalidTexts(field, key, texts);
      return key.includes('/')
        ? []
        : [invalid(field, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
    }),
    ...validateAnnotationSize(annotations, field),
  ];
}

/** Validates the name and the UID of what a certificate is for. */
function validateReference(owner: string, name = '', uid = ''): FieldError[] {
  const field = `spec.${owner}UID`;
  return [
    ...invalidTexts(`spec.${owner}Name`, name, dns1123Subdomain(name)),
    ...(uid === '' ? [invalid(field, uid, 'must not be empty')] : []),
    ...(Buffer.byteLength(uid) > MAXIMUM_UID_BYTES ? [tooLong(field, MAXIMUM_UID_BYTES)] : []),
  ];
}

function validateEither(spec: Spec): FieldError[] {
  const { stubPKCS10Request = '', pkixPublicKey = '', proofOfPossession = '' } = spec;
  const hasRequest = stubPKCS10Request !== '';
  if (hasRequest && pkixPublicKey === '' && proofOfPossession === '') return validateRequest(spec);
  if (!hasRequest && pkixPublicKey !== '' && proofOfPossession !== '') return validateKey(spec);
  const text = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  return [invalidFormatted('spec', '', text)];
}

const decode = (bytes: string | undefined): Buffer => Buffer.from(bytes ?? '', 'base64');

function validateKey(spec: Spec): FieldError[] {
  const [bytes, proof] = [decode(spec.pkixPublicKey), decode(spec.proofOfPossession)];
  if (bytes.length > MAXIMUM_BYTES) return [tooLong(KEY, MAXIMUM_BYTES)];
  if (proof.length > MAXIMUM_BYTES) return [tooLong(PROOF, MAXIMUM_BYTES)];
  const key = readPublicKey(bytes);
  if (key === undefined)
    return [invalid(KEY, spec.pkixPublicKey ?? '', 'must be a valid PKIX-serialized public key')];
  const problem = keyProblem(key, 'P256 or P384');
  if (problem !== undefined) return [invalid(KEY, problem.shown ?? spec.pkixPublicKey, problem.text)];
  return isProof(proof, key, spec.podUID ?? '')
    ? []
    : [invalidFormatted(PROOF, '', 'could not verify proof-of-possession signature')];
}

/** Whether a signature of the UID of the pod was made with the private key. */
function isProof(proof: Buffer, key: KeyObject, podUid: string): boolean {
  const text = Buffer.from(podUid);
  if (key.asymmetricKeyType === 'ed25519') return verify(undefined, text, key, proof);
  if (key.asymmetricKeyType === 'ec') return verify('sha256', text, key, proof);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const saltLength = constants.RSA_PSS_SALTLEN_AUTO;
  return verify('sha256', text, { key, padding, saltLength }, proof);
}

function validateRequest(spec: Spec): FieldError[] {
  const bytes = decode(spec.stubPKCS10Request);
  if (bytes.length > MAXIMUM_BYTES) return [tooLong(REQUEST, MAXIMUM_BYTES)];
  const read = readRequest(bytes);
  if (read === undefined) return [invalidFormatted(REQUEST, '', 'must be a valid PKCS#10 CSR')];
  const problem = keyProblem(read.key, 'P256, P384, or P521');
  if (problem !== undefined)
    return [
      problem.shown === undefined
        ? invalidFormatted(REQUEST, '', problem.text)
        : invalid(REQUEST, problem.shown, problem.text),
    ];
  try {
    read.request.checkSignature();
    return [];
  } catch {
    return [invalidFormatted(REQUEST, '', 'invalid signature')];
  }
}
