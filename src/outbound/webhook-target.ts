import { posix } from 'node:path';
import type { WebhookClientConfig } from '../model/generated/admissionregistration-v1.ts';
import type { TlsSettings } from './connect.ts';
import type { Network } from './egress.ts';
import type { Endpoint } from './endpoint.ts';
import { authorization } from './http-client.ts';
import type { OutboundClient } from './outbound-client.ts';
import type { OutboundTarget } from './outbound-target.ts';
import { type ServiceResolver, serviceServerName } from './service-resolver.ts';
import type { TargetOptions } from './target-options.ts';

export interface WebhookTargetOptions extends Pick<TargetOptions, 'maximumRequests' | 'maximumWaiting'> {
  readonly client: OutboundClient;
  readonly resolve: ServiceResolver;
  readonly userAgent: string;
  /** Credentials for a host and port, `name.namespace.svc:443` for a Service; undefined: none. */
  readonly credentials?: ((host: string) => Endpoint | undefined) | undefined;
}

/** A webhook to which reviews can be posted. */
export interface WebhookTarget {
  readonly target: OutboundTarget;
  /** Starts with `/`. */
  readonly path: string;
}

const DEFAULT_PORT = 443;

/**
 * Prepares calls of a webhook. Services are resolved for each new connection.
 * @throws TypeError for an invalid URL
 */
export function webhookTarget(
  { url, service, caBundle }: WebhookClientConfig,
  { client, resolve, userAgent, credentials, ...limits }: WebhookTargetOptions,
): WebhookTarget {
  const { namespace = '', name = '', port = DEFAULT_PORT, path = '' } = service ?? {};
  const serverName = service === undefined ? undefined : serviceServerName(namespace, name);
  const parsed = serverName === undefined ? new URL(url ?? '') : undefined;
  // The port of a Service is part of the URL in errors, and of the Host header, even if it is 443.
  const host = parsed?.host ?? `${serverName}:${port}`;
  const credential = credentials?.(host);
  const tls: TlsSettings = {
    ...(caBundle === undefined || caBundle === ''
      ? {}
      : { caBundle: Buffer.from(caBundle, 'base64').toString('utf8') }),
    ...(credential?.certificate === undefined
      ? {}
      : { certificate: credential.certificate, key: credential.key }),
    serverName,
  };
  const target = client.target({
    ...limits,
    network: networkOf(service),
    server: `${parsed?.protocol ?? 'https:'}//${host}`,
    tls,
    headers: () => ({
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...(credential === undefined ? {} : authorization(credential)),
    }),
    ...(service === undefined ? {} : { resolve: () => resolve(namespace, name, port) }),
  });
  return { target, path: cleanPath(parsed === undefined ? path : unescaped(parsed.pathname)) };
}

/**
 * Services are in the cluster, except this server's own. URLs name servers beside the control plane, as in
 * kube-apiserver.
 */
function networkOf(service: WebhookClientConfig['service']): Network | 'local' {
  if (service === undefined) return 'controlplane';
  return service.namespace === 'default' && service.name === 'kubernetes' ? 'local' : 'cluster';
}

/** The path without escapes; each character is one byte. */
const unescaped = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

/**
 * Joins a path to the root as client-go does: double slashes and a slash at the end are removed, and escaped is
 * what must be.
 */
function cleanPath(path: string): string {
  const joined = posix.join('/', path);
  const clean = joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
  return clean.replace(
    /[^A-Za-z0-9\-_.~$&+,/:;=@]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}
