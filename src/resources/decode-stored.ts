import { parseJson } from '../codec/json-parse.ts';
import { isEncrypted } from '../storage/encryption/transformer.ts';
import type { Resources } from './resources.ts';
import { storageTypeOf } from './storage-type.ts';

/** What became of a stored value. */
export type DecodedAs = 'object' | 'encrypted' | 'unknown';

/**
 * Decodes stored values as a server does, to find those that it could not read. Values of custom kinds are
 * JSON; keys of other kinds are not decoded.
 * @returns a function that throws for a value that cannot be decoded
 */
export function storedDecoder(resources: Resources): (key: string, value: Uint8Array) => DecodedAs {
  const byPrefix = new Map(
    resources.builtin.flatMap((row) =>
      row.storage === undefined ? [] : [[row.storage.prefix, row] as const],
    ),
  );
  return (key, value) => {
    if (isEncrypted(value)) return 'encrypted';
    const [prefix] = storageTypeOf(key);
    const row = byPrefix.get(prefix);
    if (row !== undefined) {
      const { codec, reader } = resources.serve(row).stored;
      codec.decode(reader.writtenForm?.(value) ?? value, 0);
      return 'object';
    }
    if (!prefix.includes('.')) return 'unknown';
    parseJson(value);
    return 'object';
  };
}
