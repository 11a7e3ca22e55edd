import type { OutboundStream } from '../outbound/exchange.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { joinStreams, passUpgrade } from '../proxy/upgrade.ts';
import type { RequestContext } from '../request/context.ts';
import { respondText } from '../request/respond-text.ts';
import { errors } from '../status/index.ts';
import { completeHandshake } from '../streaming/channels/handshake.ts';
import { socketStream } from '../streaming/channels/socket-stream.ts';
import { upgradeFailure } from './dial-text.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { requestSpdy, speaksSpdy } from './open-spdy.ts';
import type { StreamRequest } from './stream.ts';
import { untilFinished } from './until-finished.ts';

const SWITCHING_PROTOCOLS = 101;
/** Begins the subprotocols in which a WebSocket carries a SPDY connection. */
export const TUNNEL_PREFIX = 'SPDY/3.1+';
/** Ends those whose streams this server knows. */
export const TUNNEL_SUFFIX = '.k8s.io';

/** Headers of the WebSocket, which the kubelet does not get. */
const WEBSOCKET_HEADERS = [
  'sec-websocket-protocol',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'x-stream-protocol-version',
];

/**
 * Connects a client that sends SPDY inside a WebSocket with a kubelet. The WebSocket is accepted after the kubelet has
 * agreed; its errors are passed on.
 * @throws ApiError for a kubelet that cannot be reached
 */
export async function tunnelPorts(
  context: RequestContext,
  { backend, path, observer }: StreamRequest,
  offered: readonly string[],
): Promise<void> {
  const { exchange } = context;
  const protocols = offered
    .filter((name) => name.startsWith(TUNNEL_PREFIX) && name.endsWith(TUNNEL_SUFFIX))
    .map((name) => name.slice(TUNNEL_PREFIX.length));
  const headers = forwardedHeaders(exchange);
  for (const name of WEBSOCKET_HEADERS) delete headers[name];
  let response: OutboundStream;
  try {
    response = await requestSpdy(backend, path, protocols, untilFinished(exchange), headers);
  } catch (error) {
    if (error instanceof OutboundError) throw errors.failed(upgradeFailure(error));
    throw error;
  }
  if (response.upgraded === undefined) {
    observer.portsTunnelled(response.status);
    const problem = await passUpgrade(context, response);
    if (problem !== undefined) throw errors.failed(problem);
    return;
  }
  const { socket, head } = response.upgraded;
  socket.on('error', () => undefined);
  if (!speaksSpdy(response)) {
    socket.destroy();
    observer.portsTunnelled(500);
    return respondText(context, 500, 'unable to upgrade: missing upgrade headers in response');
  }
  const taken = exchange.takeover();
  if (taken === undefined) {
    socket.destroy();
    return exchange.abort();
  }
  context.status = SWITCHING_PROTOCOLS;
  const chosen = String(response.headers['x-stream-protocol-version'] ?? '').trim();
  const accepted = await completeHandshake(
    { ...taken, header: (name) => exchange.header(name) },
    chosen === '' ? undefined : `${TUNNEL_PREFIX}${chosen}`,
  );
  observer.portsTunnelled(accepted === undefined ? 500 : SWITCHING_PROTOCOLS);
  if (accepted === undefined) return void socket.destroy();
  const client = await socketStream(accepted);
  if (head.length > 0) client.write(head);
  await joinStreams(client, socket);
}
