import type { Backend } from '../outbound/address-targets.ts';
import type { OutboundStream } from '../outbound/exchange.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { statusText } from '../outbound/status-text.ts';
import { copyBody } from '../proxy/response.ts';
import type { RequestContext } from '../request/context.ts';
import { type ApiError, errors } from '../status/index.ts';
import { readPrefix } from './read-prefix.ts';
import { untilFinished } from './until-finished.ts';

/** Most bytes of an error that are read; the rest is left out. */
const MAXIMUM_ERROR = 50_000;

/** Called when the certificate of a kubelet was not accepted. */
export type VerificationObserver = () => void;

/**
 * Passes the log of a container on, as it comes, with back-pressure.
 * @param path and query of the kubelet's log
 * @throws ApiError for a kubelet that cannot be reached or refuses
 */
export async function passLog(
  context: RequestContext,
  { target }: Backend,
  path: string,
  onUnverified?: VerificationObserver,
): Promise<void> {
  const { exchange } = context;
  let response: OutboundStream;
  try {
    response = await target.open({ method: 'GET', path, signal: untilFinished(exchange) });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.text.includes('x509:')) onUnverified?.();
    throw errors.failed(error.message);
  }
  const { status, body } = response;
  body.on('error', () => undefined);
  if (status < 200 || status > 206) throw await refusal(context, response);
  context.status = 200;
  const writer = exchange.startStream(200, 'text/plain');
  try {
    await copyBody(body, writer);
  } catch {
    // Either side has disconnected.
    writer.abort();
  } finally {
    if (!body.readableEnded) body.destroy();
  }
}

/** The error for a response of the kubelet that is no log. */
async function refusal(
  { info }: RequestContext,
  { status, headers, body }: OutboundStream,
): Promise<ApiError> {
  if (status >= 300 && status <= 399 && headers.location !== undefined) {
    body.destroy();
    return errors.failed(`Get ${JSON.stringify(headers.location)}: redirects forbidden`);
  }
  const text = await readPrefix(body, MAXIMUM_ERROR);
  if (status === 500) return errors.internal(text);
  if (status === 400) return errors.badRequest(text);
  const message = `${statusText(status, text)} ( pods/log ${info.name})`;
  return errors.otherServer(status, { group: '', resource: 'pods/log' }, info.name, message);
}
