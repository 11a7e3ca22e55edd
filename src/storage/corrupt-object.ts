/**
 * The stored bytes of an object cannot be read, or are not those that were written. Names the key, so that an
 * operator can act.
 */
export class CorruptObjectError extends Error {
  override name = 'CorruptObjectError';
  constructor(
    readonly key: string,
    override readonly cause: unknown,
  ) {
    super(
      `data from the storage is not decodable as expected, key ${JSON.stringify(key)}: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}
