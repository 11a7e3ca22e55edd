import { X509Certificate } from 'node:crypto';
import { readPem } from '../pki/pem.ts';

type Data = Readonly<Record<string, string>>;

/** Keys with a CA bundle in PEM; the other keys have a JSON list of strings. */
const BUNDLES: ReadonlySet<string> = new Set(['client-ca-file', 'requestheader-client-ca-file']);
const KEYS = [
  ...BUNDLES,
  'requestheader-allowed-names',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-uid-headers',
  'requestheader-username-headers',
];

/**
 * Combines the stored data with that of this server, as kube-apiserver does: several servers publish the
 * CA certificates and header names of all of them. Expired certificates, unknown keys and values that cannot
 * be read are left out.
 * @param now milliseconds since the epoch
 */
export function combineAuthenticationData(stored: Data, own: Data, now: number): Record<string, string> {
  const combined: Record<string, string> = {};
  for (const key of KEYS) {
    const values = [stored[key], own[key]].filter((value) => value !== undefined);
    if (values.length === 0) continue;
    const value = BUNDLES.has(key) ? combineBundles(values, now) : combineLists(values);
    if (value !== '') combined[key] = value;
  }
  return combined;
}

function combineBundles(bundles: readonly string[], now: number): string {
  const certificates = new Map<string, string>();
  for (const { bytes, text } of bundles.flatMap(readPem)) {
    const id = bytes.toString('latin1');
    if (!certificates.has(id) && isValid(bytes, now)) certificates.set(id, text);
  }
  return [...certificates.values()].join('');
}

function isValid(bytes: Buffer, now: number): boolean {
  try {
    return Date.parse(new X509Certificate(bytes).validTo) >= now;
  } catch {
    return false;
  }
}

function combineLists(lists: readonly string[]): string {
  const values = new Set<string>();
  for (const list of lists) for (const value of readList(list)) values.add(value);
  return JSON.stringify([...values]);
}

function readList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((value) => typeof value === 'string') : [];
  } catch {
    return [];
  }
}
