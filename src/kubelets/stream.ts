import type { Backend } from '../outbound/address-targets.ts';
import { isUpgrade } from '../proxy/upgrade.ts';
import type { RequestContext } from '../request/context.ts';
import { errors } from '../status/index.ts';
import { offeredProtocols } from '../streaming/channels/handshake.ts';
import { REMOTE_COMMAND_V5, type RemoteCommandOptions } from '../streaming/remote-command.ts';
import { translateCommand } from './translate-command.ts';
import { TUNNEL_PREFIX, TUNNEL_SUFFIX, tunnelPorts } from './tunnel-ports.ts';
import { upgradeThrough } from './upgrade-through.ts';

/** Called with the status code of a request that was translated. */
export interface StreamObserver {
  commandTranslated(code: number): void;
  portsTunnelled(code: number): void;
}

export interface StreamRequest {
  readonly backend: Backend;
  /** Path and query of the kubelet. */
  readonly path: string;
  /** The streams of exec and attach; undefined for a port-forward. */
  readonly command: RemoteCommandOptions | undefined;
  readonly observer: StreamObserver;
}

/**
 * Connects a client with exec, attach or port-forward of a kubelet. SPDY, and the older protocols of WebSockets, are
 * passed on byte by byte. Those that kubelets do not speak are translated: WebSockets of version 5 into SPDY streams, and
 * SPDY inside a WebSocket into SPDY.
 * @throws ApiError for a request that changes no protocol, or a kubelet that cannot be reached
 */
export async function connectStream(context: RequestContext, request: StreamRequest): Promise<void> {
  const { exchange } = context;
  if (!isUpgrade(exchange)) throw errors.badRequest('Upgrade request required');
  const isWebSocket = exchange.header('upgrade')?.toLowerCase() === 'websocket';
  const offered = isWebSocket ? offeredProtocols(exchange.header('sec-websocket-protocol')) : [];
  const { command, backend, path } = request;
  if (command !== undefined && offered.includes(REMOTE_COMMAND_V5))
    return translateCommand(context, { ...request, command });
  if (command === undefined && offered.some(isTunnel)) return tunnelPorts(context, request, offered);
  return upgradeThrough(context, backend, path);
}

const isTunnel = (protocol: string): boolean =>
  protocol.startsWith(TUNNEL_PREFIX) && protocol.endsWith(TUNNEL_SUFFIX);
