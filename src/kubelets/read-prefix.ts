import type { Readable } from 'node:stream';

/** Reads at most some bytes of a body as text, and leaves the rest. What arrived of a broken body is its text. */
export async function readPrefix(body: Readable, maximumBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length >= maximumBytes) break;
    }
  } catch {
    // The server has disconnected.
  }
  return Buffer.concat(chunks).subarray(0, maximumBytes).toString('utf8');
}
