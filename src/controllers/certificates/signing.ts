import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../model/generated/certificates-v1.ts';
import type { RequestedCertificate } from '../../pki/requested-certificate.ts';
import { formatTime } from '../clock.ts';
import { type Controller, type ControllerContext, controllerQueue } from '../controller.ts';
import { controllerUser } from '../identities.ts';
import { hasCondition, requestPem, SIGNER, SIGNING_REQUESTS, signerError } from './requested.ts';

/** What signs, with the cluster's authority. */
export interface CertificateSigner {
  /** @throws Error for what is no certificate request */
  read(pem: string): RequestedCertificate;
  /**
   * A certificate for the request, PEM.
   * @throws Error unless the request is signed with the key that it is for
   */
  sign(pem: string, usages: readonly string[], seconds: number, now: number): string;
  /** Longest life of a certificate, seconds. */
  readonly longest: number;
}

/** Shortest life: what is cut off at the beginning for clocks that differ must not be all of it. */
const SHORTEST_SECONDS = 600;
const SIGNERS: ReadonlySet<string> = new Set(Object.values(SIGNER));

/** Signs the approved requests to the cluster's own signers; says in the request why it will not. */
export function signingController(parts: ControllerContext, signer: CertificateSigner): Controller {
  const name = 'certificatesigningrequest-signing-controller';
  const client = parts.client(controllerUser('certificate-controller'));
  const requests = parts.informer(SIGNING_REQUESTS);
  const queue = controllerQueue(parts, name, async (key) => {
    const request = requests.objects.get(key) as CertificateSigningRequest | undefined;
    if (request === undefined || !isWaiting(request)) return 'done';
    const outcome = attempt(request, signer, parts.clock.now());
    const { status = {} } = request;
    const changed =
      'certificate' in outcome
        ? { ...status, certificate: Buffer.from(outcome.certificate).toString('base64') }
        : {
            ...status,
            conditions: [...(status.conditions ?? []), failure(outcome.fault, formatTime(parts.clock.now()))],
          };
    await client.update(SIGNING_REQUESTS, { ...request, status: changed }, { subresource: 'status' });
    return 'done';
  });
  requests.onChange((key, request) => {
    if (request !== undefined) queue.add(key);
  });
  return { name, sources: [requests], queue };
}

/** Denial wins over approval: a decision that was made in anger is not undone by haste. */
const isWaiting = (request: CertificateSigningRequest): boolean =>
  SIGNERS.has(request.spec?.signerName ?? '') &&
  !request.status?.certificate &&
  hasCondition(request, 'Approved') &&
  !hasCondition(request, 'Denied') &&
  !hasCondition(request, 'Failed');

type Outcome = { readonly certificate: string } | { readonly fault: string };

function attempt(request: CertificateSigningRequest, signer: CertificateSigner, now: number): Outcome {
  const { signerName = '', usages = [], expirationSeconds } = request.spec ?? {};
  const pem = requestPem(request);
  try {
    const fault = signerError(signerName, signer.read(pem), usages);
    if (fault !== undefined) return { fault };
    const seconds =
      expirationSeconds === undefined
        ? signer.longest
        : Math.min(Math.max(expirationSeconds, SHORTEST_SECONDS), signer.longest);
    return { certificate: signer.sign(pem, usages, seconds, now) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

const failure = (message: string, now: string): CertificateSigningRequestCondition => ({
  type: 'Failed',
  status: 'True',
  reason: 'SignerValidationFailure',
  message,
  lastUpdateTime: now,
  lastTransitionTime: now,
});
