import { BinnacleError } from '../../errors/binnacle-error.ts';
import { quote } from '../../errors/quote.ts';
import { ApiError, type Status, type StatusDetails } from '../../status/api-error.ts';
import { errors } from '../../status/errors.ts';
import type { ReviewAnswer } from './review.ts';

/** A webhook could not be asked, or did not answer properly: its failure policy decides. */
export class WebhookCallError extends BinnacleError {
  override name = 'WebhookCallError';
  readonly code = 'ERR_BINNACLE_WEBHOOK_CALL';

  constructor(
    readonly webhook: string,
    reason: string,
    /** The status code in metrics. */
    readonly statusCode: number,
    /** The request has ended: there is nobody to answer. */
    readonly wasAborted = false,
  ) {
    super(`failed calling webhook ${quote(webhook)}: ${reason}`);
  }
}

/** The answer for a webhook that failed and whose failure policy is Fail. */
export const failedClosed = ({ message }: WebhookCallError): ApiError => errors.internal(message);

/** A webhook with side effects is not asked in a dry run. */
export const dryRunUnsupported = (webhook: string): ApiError =>
  errors.badRequest(`admission webhook ${quote(webhook)} does not support dry run`);

/** Codes of denials below 400 become 400: they are not errors. HTTP has no codes above 999. */
const LOWEST_CODE = 400;
const HIGHEST_CODE = 999;

/** A webhook denied the request. */
export class WebhookDenial extends ApiError {
  /** `status` of the Status: any word of the webhook but `Success`. */
  statusWord = 'Failure';

  override toStatus(): Status {
    return { ...super.toStatus(), status: this.statusWord };
  }
}

/** The denial of a webhook: its status, which is always a failure that names the webhook. */
export function denial(webhook: string, { status }: ReviewAnswer): WebhookDenial {
  const { code = 0, message = '', reason = '', details, metadata } = status ?? {};
  const subject = `admission webhook ${quote(webhook)} denied the request`;
  const words = message || reason;
  const error = new WebhookDenial(
    code > HIGHEST_CODE ? 500 : Math.max(code, LOWEST_CODE),
    reason,
    words === '' ? `${subject} without explanation` : `${subject}: ${words}`,
    details as StatusDetails | undefined,
  );
  if (status?.status && status.status !== 'Success') error.statusWord = status.status;
  error.statusMetadata = metadata as Readonly<Record<string, unknown>> | undefined;
  return error;
}
