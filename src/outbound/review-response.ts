import { parseMediaType } from './media-type.ts';
import { OutboundError } from './outbound-error.ts';
import type { OutboundResponse } from './outbound-target.ts';
import { parseReview, type ReviewDocument } from './review-document.ts';
import { statusText } from './status-text.ts';

/** The media type of a response that names none. */
const DEFAULT_TYPE = 'application/json';

/**
 * Reads the review in a response. Rejects with OutboundError or ReviewDocumentError for one that client-go does
 * not decode, with its messages.
 */
export async function readReview({ status, headers, body }: OutboundResponse): Promise<ReviewDocument> {
  const contentType = headers['content-type'] || undefined;
  const { type, problem } = parseMediaType(contentType ?? DEFAULT_TYPE);
  if (problem !== undefined) throw new OutboundError(`Internal error occurred: ${problem}`);
  if (status < 200 || status > 206) {
    const isText = contentType === undefined || type.startsWith('text/');
    throw new OutboundError(await failureText(status, body, isText));
  }
  if (body.length > 0) return parseReview(body);
  throw new OutboundError(
    `0-length response with status code: ${status} and content type: ${contentType ?? DEFAULT_TYPE}`,
  );
}

/** The message of a Status in the body, or a general one for the status code. */
async function failureText(status: number, body: Buffer, isText: boolean): Promise<string> {
  const document = body.length === 0 ? {} : await parseReview(body).catch(() => ({}) as ReviewDocument);
  if (document.kind === 'Status' && document.status === 'Failure' && typeof document.message === 'string')
    return document.message;
  return statusText(status, isText ? body.toString('utf8') : 'unknown');
}
