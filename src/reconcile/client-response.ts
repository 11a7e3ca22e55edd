import { ApiError, type Status } from '../status/index.ts';

/** The error of a response, which may not be a Status. */
export function responseError(status: number, text: string): ApiError {
  try {
    return errorOf(JSON.parse(text) as Status, status);
  } catch {
    return new ApiError(status, '', text, undefined);
  }
}

/** @param status HTTP status code, for a Status that has none */
export const errorOf = ({ code, reason = '', message = '', details }: Status, status: number): ApiError =>
  new ApiError(code ?? status, reason, message, details);

/** The whole text of a response. @param limit bytes @throws Error beyond the limit */
export async function textOf(
  body: AsyncIterable<Uint8Array>,
  limit = Number.POSITIVE_INFINITY,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limit) throw new Error(`the response is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * The lines of a stream. This server bounds the length of one event.
 * @param limit characters of a line
 * @throws Error beyond the limit
 */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    if (rest.length > limit) throw new Error(`an event is longer than ${limit} characters`);
    for (const line of lines) if (line !== '') yield line;
  }
}
