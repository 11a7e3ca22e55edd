import type { X509Certificate } from 'node:crypto';

/** Attributes of a subject; a repeated attribute is a list. */
type Attributes = Readonly<Record<string, string | readonly string[] | undefined>>;

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** The attribute for the uid of a user, below the number that is assigned to Kubernetes. */
const UID = '1.3.6.1.4.1.57683.2';

/** Subject of a certificate. The last common name is used; empty without one. */
export function subjectOf(x509: X509Certificate): {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
} {
  const subject = x509.toLegacyObject().subject as unknown as Attributes | undefined;
  return {
    commonName: listOf(subject?.CN).at(-1) ?? '',
    organizations: listOf(subject?.O),
    uids: listOf(subject?.[UID]),
  };
}
