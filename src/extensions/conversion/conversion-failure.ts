import { BinnacleError } from '../../errors/binnacle-error.ts';

/** Kinds of failures that the metrics of conversions tell apart. */
export type ConversionFailureKind =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

/** A batch could not be converted. The message has kube-apiserver's text. */
export class ConversionFailure extends BinnacleError {
  readonly code = 'ERR_BINNACLE_CONVERSION';
  override name = 'ConversionFailure';
  constructor(
    readonly kind: ConversionFailureKind,
    message: string,
    /** Too many calls of this webhook wait; the request may be repeated later. */
    readonly isBusy = false,
  ) {
    super(message);
  }
}
