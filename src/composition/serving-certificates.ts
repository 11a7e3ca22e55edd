import { createPrivateKey, X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { addressFamily, parseAddress } from '../addresses/address.ts';
import { addressAt } from '../addresses/range.ts';
import { isUnspecified } from '../addresses/special.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { readTlsSettings, type TlsSettings } from '../options/tls-settings.ts';
import {
  type GeneratedCertificates,
  isGenerated,
  loadGeneratedCertificates,
} from '../pki/generated-certificates.ts';
import type { KeyedCertificate } from '../pki/issue-certificate.ts';

/** A certificate for some names, from `--tls-sni-cert-key`. */
export interface NamedCertificate extends KeyedCertificate {
  /** Lower-case host names, wildcards as `*.example.com`. */
  readonly names: readonly string[];
}

/** Everything the TLS server and the kubeconfig writer need. */
export interface TlsMaterial {
  readonly serving: KeyedCertificate;
  /** In order of preference. */
  readonly named: readonly NamedCertificate[];
  readonly settings: TlsSettings;
  /** CA bundle with which clients verify `serving`, PEM. */
  readonly caBundle: string;
  /** File with `caBundle`; undefined when certificates are kept in memory only. */
  readonly caBundleFile: string | undefined;
  readonly generated: GeneratedCertificates;
}

/** The options of the serving certificates. */
type ServingCertificateOptions = OptionSlice<
  | 'bindAddress'
  | 'externalHostname'
  | 'tlsCertFile'
  | 'tlsCipherSuites'
  | 'tlsMinVersion'
  | 'tlsPrivateKeyFile'
  | 'tlsSniCertKey'
>;

export interface TlsMaterialRequest {
  readonly configuration: Configuration<ServingCertificateOptions>;
  readonly now: Date;
  /** False keeps generated certificates in memory only. */
  readonly persist: boolean;
  /** Called for each file that was renamed. */
  readonly warn?: (message: string) => void;
}

/** Names of the API server in every cluster. */
const CLUSTER_NAMES = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'localhost',
  '127.0.0.1',
  '::1',
];

/**
 * Reads the certificates that flags name and generates missing ones.
 * @throws ConfigurationError for example when a key does not match its certificate
 */
export function loadTlsMaterial({ configuration, now, persist, warn }: TlsMaterialRequest): TlsMaterial {
  const { values, certificateDirectory } = configuration;
  const settings = readTlsSettings(values.tlsMinVersion, values.tlsCipherSuites);
  const own = loadGeneratedCertificates({
    directory: persist ? certificateDirectory : undefined,
    names: serverNames(configuration),
    now,
    warn,
  });
  const serving =
    values.tlsCertFile === ''
      ? own.serving
      : readKeyedCertificate(values.tlsCertFile, values.tlsPrivateKeyFile);
  const fromOwnAuthority = serving === own.serving && isGenerated(new X509Certificate(serving.certificate));
  const servingFile = values.tlsCertFile || join(certificateDirectory, 'apiserver.crt');
  return {
    serving,
    generated: own,
    settings,
    named: sortNamed(values.tlsSniCertKey.map(readNamedCertificate)),
    caBundle: fromOwnAuthority ? own.authority.certificate : serving.certificate,
    caBundleFile: fromOwnAuthority
      ? persist
        ? join(certificateDirectory, 'ca.crt')
        : undefined
      : servingFile,
  };
}

/** Whether a certificate can have the name: Linux permits host names of 64 bytes, DNS only labels of 63. */
export const isHostName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => /^[A-Za-z0-9_-]{1,63}$/.test(label));

/** The names and addresses that the generated serving certificate covers. */
function serverNames({
  values,
  advertiseAddress,
  serviceRanges,
}: Configuration<ServingCertificateOptions>): string[] {
  const address = parseAddress(values.bindAddress);
  const bindsAll = address !== undefined && isUnspecified(address);
  const bound = bindsAll ? [hostname()].filter(isHostName) : [values.bindAddress];
  const external = values.externalHostname === '' ? [] : [values.externalHostname];
  return [
    ...new Set([
      ...CLUSTER_NAMES,
      ...bound,
      ...external,
      advertiseAddress,
      ...serviceRanges.map((range) => addressAt(range, 1)),
    ]),
  ];
}

/**
 * Reads a certificate (with its chain) and its key.
 * @throws ConfigurationError when either is unreadable or they do not match
 */
export function readKeyedCertificate(certificateFile: string, keyFile: string): KeyedCertificate {
  const certificate = readTextFile(certificateFile);
  const key = readTextFile(keyFile);
  const failure = (message: string) =>
    new ConfigurationError(
      `failed to load the certificate ${certificateFile} with the key ${keyFile}: ${message}`,
    );
  let leaf: X509Certificate;
  let matches: boolean;
  try {
    leaf = new X509Certificate(certificate);
  } catch {
    throw failure('tls: failed to find any PEM data in certificate input');
  }
  try {
    matches = leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    throw failure('tls: failed to find any PEM data in key input');
  }
  if (!matches) throw failure('tls: private key does not match public key');
  return { certificate, key };
}

/** `cert.pem,key.pem[:name,name]`; without names those of the certificate are used. */
function readNamedCertificate(text: string): NamedCertificate & { explicit: boolean } {
  const colon = text.indexOf(':');
  const files = (colon < 0 ? text : text.slice(0, colon)).split(',').map((file) => file.trim());
  const explicit =
    colon < 0
      ? []
      : text
          .slice(colon + 1)
          .split(',')
          .map((name) => name.trim().toLowerCase())
          .filter((name) => name !== '');
  if (files.length !== 2 || files.includes(''))
    throw new ConfigurationError(
      `--tls-sni-cert-key ${text}: expected comma separated certificate and key file paths`,
    );
  const pair = readKeyedCertificate(files[0]!, files[1]!);
  return {
    ...pair,
    names: explicit.length > 0 ? explicit : namesOf(new X509Certificate(pair.certificate)),
    explicit: explicit.length > 0,
  };
}

function namesOf(certificate: X509Certificate): string[] {
  const alternatives = [...(certificate.subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)].map((match) =>
    match[1]!.toLowerCase(),
  );
  const commonName = /^CN=(.+)$/m.exec(certificate.subject)?.[1]?.toLowerCase();
  return alternatives.length > 0 || commonName === undefined ? alternatives : [commonName];
}

/** Explicit names take precedence over names from certificates. */
function sortNamed(certificates: readonly (NamedCertificate & { explicit: boolean })[]): NamedCertificate[] {
  return [...certificates].sort((left, right) => Number(right.explicit) - Number(left.explicit));
}

/**
 * The certificate for the name that a client requests (SNI): an exact match, then a wildcard of one label;
 * undefined means the default one.
 */
export function certificateFor(
  named: readonly NamedCertificate[],
  serverName: string,
): NamedCertificate | undefined {
  const name = serverName.toLowerCase();
  if (addressFamily(name) !== 0) return named.find(({ names }) => names.includes(name));
  const wildcard = `*${name.slice(name.indexOf('.'))}`;
  return (
    named.find(({ names }) => names.includes(name)) ??
    named.find(({ names }) => name.includes('.') && names.includes(wildcard))
  );
}
