import type { BodyWriter } from '../connection/exchange.ts';
import type { OutboundStream } from '../outbound/exchange.ts';
import type { RequestContext } from '../request/context.ts';
import { isHopByHop, listedNames } from './headers.ts';

const REDIRECTED = 'the backend attempted to redirect this request, which is not permitted';
/** Responses without a body. */
const EMPTY = new Set([204, 304]);

/** How redirects are passed on. */
export interface ResponseOptions {
  /** A redirect is answered with 502. */
  readonly rejectsRedirects?: boolean;
  /** Where a redirect leads for the client. */
  locationFor?(location: string): string;
}

/** Passes the response of another server on to the client, with back-pressure. */
export async function passResponse(
  context: RequestContext,
  response: OutboundStream,
  { rejectsRedirects = false, locationFor }: ResponseOptions = {},
): Promise<void> {
  const { exchange } = context;
  const { status, headers, body } = response;
  body.on('error', () => undefined);
  if (rejectsRedirects && status >= 300 && status <= 399 && headers.location !== undefined) {
    body.destroy();
    context.status = 502;
    exchange.respond(502, 'text/plain; charset=utf-8', REDIRECTED);
    return;
  }
  context.status = status;
  copyHeaders(context, response, locationFor);
  const contentType = headers['content-type'];
  if (EMPTY.has(status)) {
    body.resume();
    exchange.respond(status, contentType, '');
    return;
  }
  const writer = exchange.startStream(status, contentType);
  try {
    await copyBody(body, writer);
  } catch {
    // Either side has disconnected.
    writer.abort();
  } finally {
    if (!body.readableEnded) body.destroy();
  }
}

function copyHeaders(
  { exchange }: RequestContext,
  { headers, rawHeaders }: OutboundStream,
  locationFor: ResponseOptions['locationFor'],
): void {
  const listed = listedNames(headers.connection);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (name === 'content-type' || isHopByHop(name, listed)) continue;
    const value = Buffer.from(rawHeaders[index + 1]!, 'latin1').toString('utf8');
    exchange.setHeader(name, name === 'location' && locationFor ? locationFor(value) : value, true);
  }
}

/** Writes a body with back-pressure. Rejects when either side has disconnected. */
export async function copyBody(body: AsyncIterable<Uint8Array>, writer: BodyWriter): Promise<void> {
  for await (const chunk of body) {
    if (writer.closed) return;
    if (!writer.write(chunk)) await writer.drained();
  }
  writer.end();
}
