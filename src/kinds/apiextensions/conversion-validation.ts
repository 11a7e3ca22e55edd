import type { CustomResourceConversion } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, forbidden, invalidFormatted, required } from '../../status/field-error.ts';
import { caBundleError } from '../validation/ca-bundle.ts';
import { validateOneOf } from '../validation/fields.ts';
import { formatGoBytes } from '../validation/format-value.ts';
import { validateReviewVersions } from '../validation/review-versions.ts';
import { validateWebhookClient } from '../validation/webhook-client.ts';

/** Validates how objects are converted. @param before the conversion before an update */
export function validateConversion(
  { strategy, webhook }: CustomResourceConversion,
  before: CustomResourceConversion | undefined,
  field: string,
): FieldError[] {
  const errors = strategy
    ? validateOneOf(strategy, ['None', 'Webhook'], `${field}.strategy`)
    : [required(`${field}.strategy`)];
  const client = `${field}.webhookClientConfig`;
  const versions = `${field}.conversionReviewVersions`;
  if (strategy !== 'Webhook') {
    const text = 'should not be set when strategy is not set to Webhook';
    return [
      ...errors,
      ...(webhook?.clientConfig === undefined ? [] : [forbidden(client, text)]),
      ...((webhook?.conversionReviewVersions ?? []).length === 0 ? [] : [forbidden(versions, text)]),
    ];
  }
  return [
    ...errors,
    ...(webhook?.clientConfig === undefined
      ? [required(client, 'required when strategy is set to Webhook')]
      : validateWebhookClient(webhook.clientConfig, client)),
    ...(before === undefined
      ? []
      : validateBundle(bundleOf({ webhook }), bundleOf(before), `${client}.caBundle`)),
    ...validateReviewVersions(webhook?.conversionReviewVersions, versions, ''),
  ];
}

const bundleOf = ({ webhook }: CustomResourceConversion): string => webhook?.clientConfig?.caBundle ?? '';

/**
 * Rejects an update to an invalid bundle, unless the stored one is invalid as well: a definition can be
 * created with an invalid bundle, with which it is not established.
 */
function validateBundle(bundle: string, before: string, field: string): FieldError[] {
  const error = caBundleError(bundle);
  if (error === undefined || caBundleError(before) !== undefined) return [];
  return [invalidFormatted(field, formatGoBytes(bundle), `unable to load root certificates: ${error}`)];
}
