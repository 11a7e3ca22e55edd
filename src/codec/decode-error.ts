/**
 * A body or stored value cannot be decoded: a client error (400), not a server error. Clients see the
 * message.
 */
export class DecodeError extends Error {
  override name = 'DecodeError';
}
