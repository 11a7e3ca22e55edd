import type { QuobyteVolumeSource } from '../../../../model/generated/core-v1.ts';
import { type FieldError, invalid, required } from '../../../../status/field-error.ts';

const MAXIMUM_TENANT_BYTES = 64;
const REGISTRY_TEXT = 'must be a host:port pair or multiple pairs separated by commas';

/** Validates the Quobyte source of a persistent volume; it reports only the first malformed address. */
export function validateQuobyte(
  { registry = '', tenant = '', volume = '' }: QuobyteVolumeSource,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (registry === '') errors.push(required(`${field}.registry`, REGISTRY_TEXT));
  else if (Buffer.byteLength(tenant) > MAXIMUM_TENANT_BYTES) {
    errors.push(required(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    const malformed = registry.split(',').filter((pair) => !isHostAndPort(pair));
    errors.push(...malformed.slice(0, 1).map(() => invalid(`${field}.registry`, registry, REGISTRY_TEXT)));
  }
  if (volume === '') errors.push(required(`${field}.volume`));
  return errors;
}

/** `host:port` or `[host]:port`; either part may be empty. */
function isHostAndPort(text: string): boolean {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return false;
  const [host, port] = [text.slice(0, colon), text.slice(colon + 1)];
  if (/[[\]]/.test(port)) return false;
  if (!host.startsWith('[')) return !/[:[\]]/.test(host);
  return host.indexOf(']') === host.length - 1 && host.lastIndexOf('[') === 0;
}
