/**
 * A body or stored value that cannot be read: a client's mistake (400), never a fault of the server. The
 * message is the text clients see.
 */
export class DecodeError extends Error {
  override name = 'DecodeError';
}
