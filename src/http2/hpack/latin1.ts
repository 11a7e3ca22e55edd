/** What `buffer.toString('latin1', …)` calls after checking its arguments. Node documents it no further. */
type Latin1Slice = (this: Uint8Array, start: number, end: number) => string;
const { latin1Slice } = Buffer.prototype as unknown as { readonly latin1Slice: Latin1Slice };

/** The bytes from `start` to `end`, one character each. */
export const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  latin1Slice.call(bytes, start, end);
