import { createPrivateKey, X509Certificate } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { readTextFileIfPresent, writeFileAtomically } from '../files/files.ts';
import { addressFamily } from '../options/addresses.ts';
import { createAuthority, issueCertificate, type KeyedCertificate } from './issue-certificate.ts';

const DAY_MILLISECONDS = 86_400_000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A certificate with less time left is made anew at the next start. */
const RENEWAL_DAYS = 30;
/** Certificates begin to be valid a little in the past: clocks differ. */
const SKEW_MILLISECONDS = 3_600_000;

const AUTHORITY_SUBJECT = 'binnacle-ca';
const ADMIN = { commonName: 'kubernetes-admin', organizations: ['system:masters'] };

/** The files below the certificate directory. */
const FILES = { authority: 'ca', serving: 'apiserver', admin: 'admin' } as const;

/** The certificates that the server makes for itself. */
export interface GeneratedCertificates {
  /** Signs the others; clients trust it, and the server trusts it in client certificates. */
  readonly authority: KeyedCertificate;
  /** The leaf followed by the authority. */
  readonly serving: KeyedCertificate;
  /** Signed by `authority`: user `kubernetes-admin`, group `system:masters`. */
  readonly admin: KeyedCertificate;
}

export interface GeneratedCertificatesOptions {
  /** Where they are kept; undefined keeps them in memory only. */
  readonly directory: string | undefined;
  /** Host names and addresses that clients use for the server. */
  readonly names: readonly string[];
  readonly now: Date;
  /** Told of files that were put aside. */
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * Loads the server's own certificates, making those that are missing, damaged, about to expire or, for the
 * serving one, that lack a name.
 * @throws ConfigurationError when the directory cannot be read or written, or holds a certificate of somebody
 * else without its key
 */
export function loadGeneratedCertificates({
  directory,
  names,
  now,
  warn = () => undefined,
}: GeneratedCertificatesOptions): GeneratedCertificates {
  const validFrom = new Date(now.getTime() - SKEW_MILLISECONDS);
  const validTo = (days: number) => new Date(now.getTime() + days * DAY_MILLISECONDS);
  const keep = (
    file: string,
    usable: (certificate: X509Certificate) => boolean,
    make: () => KeyedCertificate,
  ): KeyedCertificate => {
    const found = directory === undefined ? undefined : readPair(directory, file);
    if (found !== undefined) {
      const certificate = new X509Certificate(found.certificate);
      if (
        !isGenerated(certificate) ||
        (Date.parse(certificate.validTo) > validTo(RENEWAL_DAYS).getTime() && usable(certificate))
      )
        return found;
    }
    if (directory !== undefined && found === undefined) putAside(directory, file, warn);
    const made = make();
    if (directory !== undefined) writePair(directory, file, made);
    return made;
  };

  const authority = keep(
    FILES.authority,
    (certificate) => certificate.ca,
    () => createAuthority({ commonName: AUTHORITY_SUBJECT }, validFrom, validTo(AUTHORITY_DAYS)),
  );
  const issuer = new X509Certificate(authority.certificate);
  // A leaf must not outlive its authority.
  const leafValidTo = new Date(Math.min(validTo(LEAF_DAYS).getTime(), Date.parse(issuer.validTo)));
  const own = (certificate: X509Certificate) => certificate.verify(issuer.publicKey);

  const serving = keep(
    FILES.serving,
    (certificate) => own(certificate) && coversNames(certificate, names),
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
  const admin = keep(FILES.admin, own, () =>
    issueCertificate(authority, { subject: ADMIN, usage: 'client', validFrom, validTo: leafValidTo }),
  );
  return { authority, serving, admin };
}

/** Whether a certificate is valid for every name and address. */
function coversNames(certificate: X509Certificate, names: readonly string[]): boolean {
  return names.every(
    (name) =>
      (addressFamily(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

/**
 * Whether a certificate was made here. Others were put into the directory by somebody and are used as they
 * are.
 */
export function isGenerated(certificate: X509Certificate): boolean {
  return certificate.issuer === `CN=${AUTHORITY_SUBJECT}`;
}

/**
 * A certificate and its key from the directory; undefined when either is absent, unreadable as PEM, or they
 * don't belong together.
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
 * Nothing is overwritten that somebody may have put there: what cannot be used keeps its content under
 * another name.
 */
function putAside(directory: string, file: string, warn: (message: string) => void): void {
  const paths = [join(directory, `${file}.crt`), join(directory, `${file}.key`)];
  const present = paths.filter((path) => (readTextFileIfPresent(path) ?? '').trim() !== '');
  const certificate = parseCertificate(readTextFileIfPresent(paths[0]!) ?? '');
  if (certificate !== undefined && !isGenerated(certificate)) {
    throw new ConfigurationError(
      `${paths[0]} was not made by Binnacle and ${paths[1]} is not its key: put the key there, or move the certificate away to have one made`,
    );
  }
  for (const path of present) {
    withFile('rename', path, () => renameSync(path, `${path}.replaced`));
    warn(
      `${path} is damaged or lacks its counterpart: it is made anew, and what was there is kept in ${path}.replaced`,
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

function writePair(directory: string, file: string, { certificate, key }: KeyedCertificate): void {
  // Clients hold on to the authority. What it signs is made again when it is damaged.
  const durable = file === FILES.authority;
  writeFileAtomically(join(directory, `${file}.key`), key, 0o600, durable);
  writeFileAtomically(join(directory, `${file}.crt`), certificate, 0o644, durable);
}
