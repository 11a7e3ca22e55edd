import type { Exchange } from '../connection/exchange.ts';
import { type ProxyHeaders, passedHeaders } from '../proxy/headers.ts';

/**
 * The headers of a request as a kubelet or a pod gets them: without credentials and impersonation, with the addresses
 * that it came from. The host stays the one that the client named, as in kube-apiserver.
 */
export function forwardedHeaders(exchange: Exchange): ProxyHeaders {
  const from = [...exchange.headerValues('x-forwarded-for'), exchange.remoteAddress];
  return {
    ...passedHeaders(exchange.headers()),
    host: exchange.host,
    'x-forwarded-for': from.filter((address) => address !== '').join(', '),
  };
}
