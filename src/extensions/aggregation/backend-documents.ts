import type { OutboundResponse } from '../../outbound/outbound-target.ts';
import type { ServiceResolver } from '../../outbound/service-resolver.ts';
import { identityHeaders } from './identity-headers.ts';
import { AGGREGATOR } from './probe.ts';
import type { Route } from './routing-table.ts';

export interface DocumentRequest {
  readonly path: string;
  readonly accept: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly maximumBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests documents of extension servers in the name of this server. Rejects with OutboundError. */
export type FetchDocument = (route: Route, request: DocumentRequest) => Promise<OutboundResponse>;

export function createFetchDocument(resolve: ServiceResolver, userAgent: string): FetchDocument {
  return async ({ service, backends }, { path, accept, headers, ...bounds }) => {
    const { target } = backends.at(await resolve(service.namespace, service.name, service.port));
    return target.send({
      method: 'GET',
      path,
      headers: { accept, 'user-agent': userAgent, ...headers, ...identityHeaders(AGGREGATOR) },
      idempotent: true,
      ...bounds,
    });
  };
}
