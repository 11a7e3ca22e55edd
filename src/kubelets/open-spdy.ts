import type { Backend } from '../outbound/address-targets.ts';
import type { OutboundStream } from '../outbound/exchange.ts';
import type { ProxyHeaders } from '../proxy/headers.ts';

const SPDY = 'SPDY/3.1';

/** Asks a kubelet to speak SPDY on a new connection. Rejects with OutboundError. @param protocols for the streams */
export const requestSpdy = (
  { target }: Backend,
  path: string,
  protocols: readonly string[],
  signal: AbortSignal,
  headers: ProxyHeaders = {},
): Promise<OutboundStream> =>
  target.open({
    method: 'POST',
    path,
    headers: { ...headers, connection: 'Upgrade', upgrade: SPDY, 'x-stream-protocol-version': protocols },
    signal,
  });

/** Whether the kubelet speaks SPDY from here on. */
export const speaksSpdy = ({ upgraded, headers }: OutboundStream): boolean =>
  upgraded !== undefined &&
  (headers.connection ?? '').toLowerCase().includes('upgrade') &&
  (headers.upgrade ?? '').toLowerCase().includes(SPDY.toLowerCase());
