/**
 * A header block that cannot be decoded. The state of the compression is lost: the connection ends with
 * COMPRESSION_ERROR (RFC 9113, section 4.3).
 */
export class HpackError extends Error {
  override name = 'HpackError';
}
