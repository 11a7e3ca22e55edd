import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../model/generated/certificates-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { RequestedCertificate } from '../../pki/requested-certificate.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { hasCondition, requestPem, SIGNER, SIGNING_REQUESTS, signerError } from './requested.ts';

/** Signs certificates with the cluster's CA. */
export interface CertificateSigner {
  /** @throws Error for text that is not a certificate request */
  read(pem: string): RequestedCertificate;
  /**
   * Issues the certificate of a request, PEM.
   * @throws Error unless the request is signed with its own private key
   */
  sign(pem: string, usages: readonly string[], seconds: number, now: number): string;
  /** Maximum duration of a certificate, seconds. */
  readonly maximumSeconds: number;
}

/** Minimum duration, larger than the backdating for clock skew. */
const MINIMUM_SECONDS = 600;
const SIGNERS: ReadonlySet<string> = new Set(Object.values(SIGNER));

/** Signs approved requests to the built-in signers, or sets the condition Failed with the reason. */
export function signingController(parts: NamedContext, signer: CertificateSigner): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const requests = parts.objects(SIGNING_REQUESTS);
  const queue = controllerQueue(parts, name, async (key) => {
    const request = requests.get(key) as CertificateSigningRequest | undefined;
    if (request === undefined || !isPending(request)) return 'done';
    // Peers compare the validity of a certificate with the time of their machine.
    const outcome = signRequest(request, signer, parts.clock.now());
    const { status = {} } = request;
    const changed =
      'certificate' in outcome
        ? { ...status, certificate: Buffer.from(outcome.certificate).toString('base64') }
        : {
            ...status,
            conditions: [
              ...(status.conditions ?? []),
              failure(outcome.error, formatTime(parts.clusterClock.now())),
            ],
          };
    await client.update(SIGNING_REQUESTS, { ...request, status: changed }, { subresource: 'status' });
    return 'done';
  });
  requests.onChange((key, request) => {
    if (request !== undefined) queue.add(key);
  });
  return { name, sources: [requests], queue };
}

/** Whether a request is approved and not signed. Denial takes precedence over approval. */
const isPending = (request: CertificateSigningRequest): boolean =>
  SIGNERS.has(request.spec?.signerName ?? '') &&
  !request.status?.certificate &&
  hasCondition(request, 'Approved') &&
  !hasCondition(request, 'Denied') &&
  !hasCondition(request, 'Failed');

type Outcome = { readonly certificate: string } | { readonly error: string };

function signRequest(request: CertificateSigningRequest, signer: CertificateSigner, now: number): Outcome {
  const { signerName = '', usages = [], expirationSeconds } = request.spec ?? {};
  const pem = requestPem(request);
  try {
    const error = signerError(signerName, signer.read(pem), usages);
    if (error !== undefined) return { error };
    const seconds =
      expirationSeconds === undefined
        ? signer.maximumSeconds
        : Math.min(Math.max(expirationSeconds, MINIMUM_SECONDS), signer.maximumSeconds);
    return { certificate: signer.sign(pem, usages, seconds, now) };
  } catch (error) {
    return { error: (error as Error).message };
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
