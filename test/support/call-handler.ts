import { createInProcessExchange } from '../../src/connection/in-process.ts';
import { PathTable } from '../../src/handlers/endpoints/path-table.ts';
import { sendError } from '../../src/handlers/response/answer.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import type { Handler } from '../../src/request/context.ts';
import { createContext } from '../../src/request/create-context.ts';
import { ApiError } from '../../src/status/index.ts';
import { loopTurns } from './loop-turns.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bytes: Buffer;
  /** The body as JSON. */
  json(): Record<string, unknown>;
}

/**
 * Sends requests to path handlers without filters. Errors become Status responses, as in the server's handler
 * chain.
 */
export function callerOf(paths: Iterable<readonly [path: string, handler: Handler]>) {
  const table = new PathTable();
  for (const [path, handler] of paths) table.add(path, handler);
  return async (target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> => {
    const { exchange, response } = createInProcessExchange({ method, target, headers });
    const context = createContext(exchange, loopTurns(), schemeOf())!;
    try {
      await table.find(context.info.path)!(context);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await sendError(context, error);
    }
    const { status, headers: answered, body } = await response;
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    return { status, headers: answered, bytes, json: () => JSON.parse(bytes.toString('utf8')) };
  };
}
