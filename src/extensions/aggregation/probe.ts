import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { AddressTargets } from '../../outbound/address-targets.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { OutboundError } from '../../outbound/outbound-error.ts';
import type { OutboundTarget } from '../../outbound/outbound-target.ts';
import { type ServiceResolver, serviceServerName } from '../../outbound/service-resolver.ts';
import {
  type BackendService,
  discoveryPath,
  type RegisteredVersion,
  serverVerification,
} from './api-service.ts';
import type { FrontProxy } from './front-proxy.ts';
import { identityHeaders } from './identity-headers.ts';

const ATTEMPTS = 5;
const TIMEOUT_MILLISECONDS = 5000;

export interface ProbeOptions {
  readonly client: OutboundClient;
  readonly resolve: ServiceResolver;
  readonly frontProxy: FrontProxy;
  readonly userAgent: string;
  readonly has: RuleContext['has'];
}

/** The releases whose check of an extension server verifies its certificate as its APIService says. */
const VERIFIES_SERVERS: Life = { since: '1.36' };

/** The identity of the requests that this server sends to extension servers itself. */
export const AGGREGATOR = {
  name: 'system:kube-aggregator',
  groups: ['system:masters'],
  extra: new Map<string, readonly string[]>(),
};

/**
 * Creates the discovery check of an extension server: several requests at once, one of which must succeed.
 * Nothing of the response is used.
 */
export function createProbe({ client, resolve, frontProxy, userAgent, has }: ProbeOptions) {
  return async (registered: RegisteredVersion, service: BackendService): Promise<void> => {
    const { namespace, name, port } = service;
    const stop = new AbortController();
    const path = discoveryPath(registered);
    const backends = new AddressTargets(client, {
      serverName: serviceServerName(namespace, name),
      ...(has(VERIFIES_SERVERS) ? serverVerification(registered) : { insecure: true }),
      ...frontProxy.clientCertificate(),
    });
    const attempt = async (): Promise<void> => {
      const { target, server } = backends.at(await resolve(namespace, name, port));
      const fail = (text: string) => new Error(`failing or missing response from ${server}${path}: ${text}`);
      let status: number;
      try {
        status = await statusOf(target, path, userAgent, stop.signal);
      } catch (error) {
        throw fail(failureText(error));
      }
      if (status < 200 || status > 299) throw fail(`bad status from ${server}${path}: ${status}`);
    };
    try {
      await Promise.any(Array.from({ length: ATTEMPTS }, attempt));
    } catch (error) {
      throw (error as AggregateError).errors.at(-1);
    } finally {
      stop.abort();
      backends.retire();
    }
  };
}

function failureText(error: unknown): string {
  const { message, code } = error as OutboundError;
  return code === 'ETIMEDOUT' && message.endsWith('context deadline exceeded')
    ? `${message} (Client.Timeout exceeded while awaiting headers)`
    : message;
}

async function statusOf(
  target: OutboundTarget,
  path: string,
  userAgent: string,
  signal: AbortSignal,
): Promise<number> {
  const { status, body } = await target.open({
    method: 'GET',
    path,
    headers: { 'user-agent': userAgent, ...identityHeaders(AGGREGATOR) },
    timeout: TIMEOUT_MILLISECONDS,
    signal,
  });
  body.on('error', () => undefined);
  body.destroy();
  return status;
}
