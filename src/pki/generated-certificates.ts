import { createPrivateKey, X509Certificate } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { addressFamily } from '../addresses/address.ts';
import { once } from '../collections/once.ts';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { readTextFileIfPresent, writeFileAtomically } from '../files/files.ts';
import { createAuthority, issueCertificate, type KeyedCertificate } from './issue-certificate.ts';
import { toEcPrivateKey } from './private-key.ts';

const DAY_MILLISECONDS = 86_400_000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A certificate with less time left is renewed at the next start. */
const RENEWAL_DAYS = 30;
/**
 * Certificates are valid from a day in the past. A clock that ran in another time zone is set back by up to 14 hours
 * after the start, and clients would not trust a certificate from their future.
 */
const SKEW_MILLISECONDS = DAY_MILLISECONDS;

const AUTHORITY_SUBJECT = 'binnacle-ca';
const FRONT_PROXY_AUTHORITY_SUBJECT = 'binnacle-front-proxy-ca';
/** The common name of the certificate with which this server calls extension servers. */
export const FRONT_PROXY_NAME = 'front-proxy-client';
/** The user of the generated kubeconfig. */
export const ADMINISTRATOR = { commonName: 'kubernetes-admin', organizations: ['system:masters'] };

/** The files below the certificate directory. */
const FILES = {
  authority: 'ca',
  serving: 'apiserver',
  admin: 'admin',
  frontProxyAuthority: 'front-proxy-ca',
  frontProxy: 'front-proxy-client',
} as const;

/** The certificates that the server generates when no flags name any. */
export interface GeneratedCertificates {
  /** The CA: signs the other certificates, and client certificates from it are accepted. */
  readonly authority: KeyedCertificate;
  /** The leaf certificate followed by the CA. */
  readonly serving: KeyedCertificate;
  /** Signed by `authority`: user `kubernetes-admin`, group `system:masters`. */
  readonly admin: KeyedCertificate;
  /**
   * Signs `frontProxy` only. Extension servers accept the users that its holder names; this server does not.
   */
  readonly frontProxyAuthority: KeyedCertificate;
  /** Identifies this server to extension servers. */
  readonly frontProxy: KeyedCertificate;
}

export interface GeneratedCertificatesOptions {
  /** Where certificates are stored; undefined keeps them in memory only. */
  readonly directory: string | undefined;
  /** Host names and addresses that clients use for the server. */
  readonly names: readonly string[];
  readonly now: Date;
  /** Called for each file that was renamed. */
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * The certificates of a further cluster of a server: its own authority, whose subject is that of every authority of
 * this server, so that clients which choose their certificate by the names of the accepted authorities find it; and
 * the server's other certificates. They are in memory, and generated when they are first needed.
 */
export function furtherCertificates(server: GeneratedCertificates, now: () => Date): GeneratedCertificates {
  const validity = (days: number) => ({
    validFrom: new Date(now().getTime() - SKEW_MILLISECONDS),
    validTo: new Date(now().getTime() + days * DAY_MILLISECONDS),
  });
  const authority = once(() => {
    const { validFrom, validTo } = validity(AUTHORITY_DAYS);
    return createAuthority({ commonName: AUTHORITY_SUBJECT }, validFrom, validTo);
  });
  const admin = once(() =>
    issueCertificate(authority(), { subject: ADMINISTRATOR, usage: 'client', ...validity(LEAF_DAYS) }),
  );
  return new FurtherCertificates(server, authority, admin);
}

/** Certificates of which some are generated when they are first needed. */
class FurtherCertificates implements GeneratedCertificates {
  readonly serving: KeyedCertificate;
  readonly frontProxyAuthority: KeyedCertificate;
  readonly frontProxy: KeyedCertificate;
  readonly #authority: () => KeyedCertificate;
  readonly #admin: () => KeyedCertificate;

  constructor(
    server: GeneratedCertificates,
    authority: () => KeyedCertificate,
    admin: () => KeyedCertificate,
  ) {
    this.serving = server.serving;
    this.frontProxyAuthority = server.frontProxyAuthority;
    this.frontProxy = server.frontProxy;
    this.#authority = authority;
    this.#admin = admin;
  }

  get authority(): KeyedCertificate {
    return this.#authority();
  }

  get admin(): KeyedCertificate {
    return this.#admin();
  }
}

/**
 * Loads the generated certificates. Recreates those that are missing, corrupt or close to expiry, and a
 * serving certificate that lacks a name. Keys that an earlier release wrote as PKCS #8 are rewritten.
 * @throws ConfigurationError when the directory cannot be read or written, or contains a certificate that this
 * server did not generate without its key
 */
export function loadGeneratedCertificates({
  directory,
  names,
  now,
  warn = () => undefined,
}: GeneratedCertificatesOptions): GeneratedCertificates {
  const validFrom = new Date(now.getTime() - SKEW_MILLISECONDS);
  const validTo = (days: number) => new Date(now.getTime() + days * DAY_MILLISECONDS);
  const loadOrCreate = (
    file: string,
    usable: (certificate: X509Certificate) => boolean,
    create: () => KeyedCertificate,
  ): KeyedCertificate => {
    const found = directory === undefined ? undefined : readPair(directory, file);
    if (found !== undefined) {
      const certificate = new X509Certificate(found.certificate);
      if (
        !isGenerated(certificate) ||
        (Date.parse(certificate.validTo) > validTo(RENEWAL_DAYS).getTime() && usable(certificate))
      ) {
        const pair = { ...found, key: toEcPrivateKey(found.key) };
        if (pair.key !== found.key && isGenerated(certificate)) rewriteKey(directory!, file, pair, warn);
        return pair;
      }
    }
    if (directory !== undefined && found === undefined) renameUnusable(directory, file, warn);
    const created = create();
    if (directory !== undefined) writePair(directory, file, created);
    return created;
  };

  const authority = loadOrCreate(
    FILES.authority,
    (certificate) => certificate.ca,
    () => createAuthority({ commonName: AUTHORITY_SUBJECT }, validFrom, validTo(AUTHORITY_DAYS)),
  );
  const issuer = new X509Certificate(authority.certificate);
  // A leaf certificate must not outlive its CA.
  const leafValidTo = new Date(Math.min(validTo(LEAF_DAYS).getTime(), Date.parse(issuer.validTo)));
  const isIssued = (certificate: X509Certificate) => certificate.verify(issuer.publicKey);

  const serving = loadOrCreate(
    FILES.serving,
    (certificate) => isIssued(certificate) && coversNames(certificate, names),
    () => {
      const hosts = names.filter((name) => addressFamily(name) === 0);
      const addresses = names.filter((name) => addressFamily(name) !== 0);
      const leaf = issueCertificate(authority, {
        subject: { commonName: 'kube-apiserver' },
        usage: 'server',
        hosts,
        addresses,
        validFrom,
        validTo: leafValidTo,
      });
      return { certificate: leaf.certificate + authority.certificate, key: leaf.key };
    },
  );
  const admin = loadOrCreate(FILES.admin, isIssued, () =>
    issueCertificate(authority, { subject: ADMINISTRATOR, usage: 'client', validFrom, validTo: leafValidTo }),
  );
  const frontProxyAuthority = loadOrCreate(
    FILES.frontProxyAuthority,
    (certificate) => certificate.ca,
    () => createAuthority({ commonName: FRONT_PROXY_AUTHORITY_SUBJECT }, validFrom, validTo(AUTHORITY_DAYS)),
  );
  const frontProxyIssuer = new X509Certificate(frontProxyAuthority.certificate);
  const frontProxy = loadOrCreate(
    FILES.frontProxy,
    (certificate) => certificate.verify(frontProxyIssuer.publicKey),
    () =>
      issueCertificate(frontProxyAuthority, {
        subject: { commonName: FRONT_PROXY_NAME },
        usage: 'client',
        validFrom,
        validTo: new Date(Math.min(validTo(LEAF_DAYS).getTime(), Date.parse(frontProxyIssuer.validTo))),
      }),
  );
  return { authority, serving, admin, frontProxyAuthority, frontProxy };
}

/** Whether a certificate is valid for every name and address. */
function coversNames(certificate: X509Certificate, names: readonly string[]): boolean {
  return names.every(
    (name) =>
      (addressFamily(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

/**
 * Whether a certificate was generated by this server. Other certificates in the directory are used unchanged.
 */
export function isGenerated(certificate: X509Certificate): boolean {
  return (
    certificate.issuer === `CN=${AUTHORITY_SUBJECT}` ||
    certificate.issuer === `CN=${FRONT_PROXY_AUTHORITY_SUBJECT}`
  );
}

/**
 * A certificate and its key from the directory; undefined when either is absent or not PEM, or when they do
 * not match.
 */
function readPair(directory: string, file: string): KeyedCertificate | undefined {
  const certificate = readTextFileIfPresent(join(directory, `${file}.crt`));
  const key = readTextFileIfPresent(join(directory, `${file}.key`));
  if (certificate === undefined || key === undefined) return undefined;
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
      ? { certificate, key }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Renames unusable files instead of overwriting them.
 */
function renameUnusable(directory: string, file: string, warn: (message: string) => void): void {
  const paths = [join(directory, `${file}.crt`), join(directory, `${file}.key`)];
  const present = paths.filter((path) => (readTextFileIfPresent(path) ?? '').trim() !== '');
  const certificate = parseCertificate(readTextFileIfPresent(paths[0]!) ?? '');
  if (certificate !== undefined && !isGenerated(certificate)) {
    throw new ConfigurationError(
      `${paths[0]} was not generated by Binnacle and ${paths[1]} is not its key: provide the key, or move the certificate away to have one generated`,
    );
  }
  for (const path of present) {
    withFile('rename', path, () => renameSync(path, `${path}.replaced`));
    warn(
      `${path} is corrupt, or its certificate or key is missing: recreated it and kept the previous content in ${path}.replaced`,
    );
  }
}

function parseCertificate(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

function writePair(directory: string, file: string, pair: KeyedCertificate): void {
  writeKey(directory, file, pair);
  writeFileAtomically(join(directory, `${file}.crt`), pair.certificate, 0o644, isDurable(file));
}

function writeKey(directory: string, file: string, { key }: KeyedCertificate): void {
  writeFileAtomically(join(directory, `${file}.key`), key, 0o600, isDurable(file));
}

/** The server also starts when the directory is read-only. */
function rewriteKey(
  directory: string,
  file: string,
  pair: KeyedCertificate,
  warn: (message: string) => void,
): void {
  try {
    writeKey(directory, file, pair);
  } catch (error) {
    warn(`the key of ${file}.crt stays PKCS #8, which some clients cannot read: ${(error as Error).message}`);
  }
}

/** Clients pin the CA. Certificates that it signs can be recreated after a crash. */
const isDurable = (file: string): boolean => file === FILES.authority || file === FILES.frontProxyAuthority;
