import { existsSync } from 'node:fs';
import { aggregate } from '../../errors/aggregate.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { readTextFile } from '../../files/files.ts';
import type {
  Connection,
  EgressSelectorConfiguration,
  TLSConfig,
  Transport,
} from '../../model/generated/apiserverconfig-v1beta1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  formatFieldError,
  invalid,
  invalidFormatted,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { type DocumentKind, readDocument } from './document.ts';

const type = () => internalTypes.type('apiserverconfig_v1beta1.EgressSelectorConfiguration');
const KIND: DocumentKind = {
  kind: 'EgressSelectorConfiguration',
  versions: { 'apiserver.k8s.io/v1beta1': type, 'apiserver.k8s.io/v1alpha1': type },
};
const NAMES = ['cluster', 'controlplane', 'etcd'] as const;
const PROTOCOLS = ['Direct', 'HTTPConnect', 'GRPC'];
const PATH = 'service.connection';

/** The networks that a selection can name. */
export type EgressName = (typeof NAMES)[number];

/** A proxy for the connections to one network. */
export interface EgressProxy {
  readonly name: EgressName;
  /** The proxy's URL (`http` or `https`), or the path of its Unix socket. */
  readonly url?: string;
  readonly socket?: string;
  /** PEM files; only with an `https` URL. No bundle means the system's CAs. */
  readonly tls?: { readonly caBundle?: string; readonly clientKey: string; readonly clientCert: string };
}

/**
 * Reads the file of `--egress-selector-config-file`. The result holds the networks that a proxy reaches;
 * all others are reached directly. Proxies of the gRPC protocol are rejected: bypassing one could breach a
 * network boundary.
 * @throws ConfigurationError
 */
export function readEgressFile(file: string): readonly EgressProxy[] {
  let text: string;
  let content: EgressSelectorConfiguration;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw new ConfigurationError(
      `failed to read egress selector config: unable to read egress selector configuration from ${JSON.stringify(file)} [${(error as Error).message}]`,
    );
  }
  try {
    ({ content } = readDocument<EgressSelectorConfiguration>(text, KIND));
  } catch (error) {
    throw new ConfigurationError(`failed to read egress selector config: ${(error as Error).message}`);
  }
  const problems = validate(content);
  if (problems.length > 0)
    throw new ConfigurationError(
      `failed to validate egress selector configuration: ${aggregate(problems.map(formatFieldError))}`,
    );
  return (content.egressSelections ?? []).flatMap(({ name = '', connection = {} }) => {
    const { proxyProtocol, transport } = connection;
    return proxyProtocol === 'HTTPConnect' ? [proxyOf(canonicalName(name) as EgressName, transport!)] : [];
  });
}

function proxyOf(name: EgressName, { tcp, uds }: Transport): EgressProxy {
  if (tcp === undefined) return { name, socket: uds!.udsName! };
  const url = tcp.url!;
  if (!URL.canParse(url))
    throw new ConfigurationError(
      `failed to create dialer for egressSelection "${name}": invalid proxy server url ${JSON.stringify(url)}`,
    );
  const { caBundle = '', clientKey = '', clientCert = '' } = tcp.tlsConfig ?? {};
  return url.startsWith('https://')
    ? { name, url, tls: { ...(caBundle === '' ? {} : { caBundle }), clientKey, clientCert } }
    : { name, url };
}

/** Capitals do not matter, except in `master`, the old name of the control plane. */
const canonicalName = (name: string): string => (name === 'master' ? 'controlplane' : name.toLowerCase());

function validate({ egressSelections = [] }: EgressSelectorConfiguration): FieldError[] {
  const problems = egressSelections.flatMap(({ connection = {} }) => validateConnection(connection));
  const seen = new Set<string>();
  for (const [index, { name = '' }] of egressSelections.entries()) {
    const canonical = canonicalName(name);
    if (seen.has(canonical)) problems.push(duplicate(`${PATH}[${index}]`, canonical));
    else if (!(NAMES as readonly string[]).includes(canonical))
      problems.push(notSupported(PATH, canonical, NAMES));
    seen.add(canonical);
  }
  return problems;
}

function validateConnection({ proxyProtocol = '', transport }: Connection): FieldError[] {
  switch (proxyProtocol) {
    case 'Direct':
      return transport === undefined
        ? []
        : [invalid(`${PATH}.transport`, 'direct', 'Transport config should be absent for direct connect')];
    case 'HTTPConnect':
      return validateHttpConnect(transport);
    case 'GRPC': {
      const problems = validateGrpc(transport);
      return problems.length > 0
        ? problems
        : [
            forbidden(
              `${PATH}.protocol`,
              'GRPC proxies are not supported by this server; use HTTPConnect over the same Unix socket',
            ),
          ];
    }
    default:
      return [notSupported(`${PATH}.protocol`, proxyProtocol, PROTOCOLS)];
  }
}

function validateHttpConnect(transport: Transport | undefined): FieldError[] {
  if (transport === undefined)
    return [required(`${PATH}.transport`, 'transport must be set for HTTPConnect')];
  const { tcp, uds } = transport;
  if (tcp !== undefined && uds !== undefined) {
    const shown = `{"URL":${JSON.stringify(tcp.url ?? '')}}`;
    return [invalidFormatted(`${PATH}.tcp`, shown, 'TCP and UDS cannot both be set')];
  }
  if (tcp !== undefined) return validateTcp(tcp);
  return uds === undefined ? [required(`${PATH}.tcp`, 'One of TCP or UDS must be set')] : validateSocket(uds);
}

function validateGrpc(transport: Transport | undefined): FieldError[] {
  if (transport === undefined) return [required(`${PATH}.transport`, 'transport must be set for GRPC')];
  return transport.uds === undefined
    ? [required(`${PATH}.uds`, 'UDS must be set with GRPC')]
    : validateSocket(transport.uds);
}

const validateSocket = ({ udsName = '' }: NonNullable<Transport['uds']>): FieldError[] =>
  udsName === '' ? [invalid(`${PATH}.udsName`, 'nil', 'UDSName should be present for UDS connections')] : [];

function validateTcp({ url = '', tlsConfig }: NonNullable<Transport['tcp']>): FieldError[] {
  if (url.startsWith('https://')) return validateTls(tlsConfig);
  if (!url.startsWith('http://'))
    return [invalid(`${PATH}.url`, url, 'supported connection protocols are http:// and https://')];
  return tlsConfig === undefined
    ? []
    : [invalid(`${PATH}.tlsConfig`, 'nil', 'TLSConfig config should not be present when using HTTP')];
}

function validateTls(config: TLSConfig | undefined): FieldError[] {
  const path = `${PATH}.tlsConfig`;
  if (config === undefined) return [required(path, 'TLSConfig must be present when using HTTPS')];
  const { caBundle = '', clientCert = '', clientKey = '' } = config;
  const problems: FieldError[] = [];
  if (caBundle !== '' && !existsSync(caBundle))
    problems.push(invalid(`${path}.caBundle`, caBundle, 'TLS config ca bundle does not exist'));
  if (clientCert === '') problems.push(invalid(`${path}.clientCert`, 'nil', 'Using TLS requires clientCert'));
  else if (!existsSync(clientCert))
    problems.push(invalid(`${path}.clientCert`, clientCert, 'TLS client cert does not exist'));
  if (clientKey === '') problems.push(invalid(`${path}.clientKey`, 'nil', 'Using TLS requires clientKey'));
  else if (!existsSync(clientKey))
    problems.push(invalid(`${path}.clientKey`, clientKey, 'TLS client key does not exist'));
  return problems;
}
