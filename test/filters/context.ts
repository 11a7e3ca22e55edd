import {
  createInProcessExchange,
  type InProcessRequest,
  type InProcessResponse,
} from '../../src/connection/in-process.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import type { RequestContext } from '../../src/request/context.ts';
import { createContext } from '../../src/request/create-context.ts';
import { loopTurns } from '../support/loop-turns.ts';

/** Creates a request as filters and handlers see it, and its response. */
export function request(
  method: string,
  target: string,
  more: Partial<InProcessRequest> = {},
): { context: RequestContext; response: Promise<InProcessResponse> } {
  const { exchange, response } = createInProcessExchange({ method, target, ...more });
  response.catch(() => undefined);
  return { context: createContext(exchange, loopTurns(), schemeOf())!, response };
}

/** Reads the whole body of a response as text. */
export async function textOf({ body }: InProcessResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
