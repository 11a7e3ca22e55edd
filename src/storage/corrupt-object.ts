/**
 * The stored bytes of an object are corrupt or cannot be decoded. `key` names the object for the operator.
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
