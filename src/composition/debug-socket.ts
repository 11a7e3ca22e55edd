import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createInProcessExchange } from '../connection/in-process.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { PathTable } from '../handlers/endpoints/path-table.ts';
import { pageNotFound } from '../handlers/router.ts';
import type { Scheme } from '../model/scheme.ts';
import type { Handler } from '../request/context.ts';
import { createContext } from '../request/create-context.ts';
import type { LoopTurns } from '../steps/turns.ts';

const MAXIMUM_BODY_BYTES = 1024;

/**
 * Serves paths on a Unix socket, without authentication: who may open the file may use them.
 * @throws ConfigurationError if the socket cannot be created
 */
export async function openDebugSocket(
  path: string,
  paths: readonly (readonly [path: string, handler: Handler])[],
  turns: LoopTurns,
  scheme: Scheme,
): Promise<{ close(): Promise<void> }> {
  const table = new PathTable();
  for (const [name, handler] of paths) table.add(name, handler);
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAXIMUM_BODY_BYTES) incoming.destroy();
      else chunks.push(chunk);
    });
    incoming.on('end', async () => {
      const disconnected = new AbortController();
      outgoing.on('close', () => disconnected.abort());
      const { exchange, response } = createInProcessExchange({
        method: incoming.method ?? 'GET',
        target: incoming.url ?? '/',
        headers: { accept: incoming.headers.accept ?? '*/*' },
        body: Buffer.concat(chunks),
        signal: disconnected.signal,
      });
      const context = createContext(exchange, turns, scheme);
      if (context === undefined) exchange.respond(400, 'text/plain; charset=utf-8', '400 Bad Request');
      else
        Promise.resolve((table.find(context.info.path) ?? pageNotFound)(context)).catch(() =>
          exchange.abort(),
        );
      try {
        const { status, headers, body } = await response;
        outgoing.writeHead(status, headers as Record<string, string>);
        for await (const chunk of body) outgoing.write(chunk);
        outgoing.end();
      } catch {
        outgoing.destroy();
      }
    });
  });
  // A socket that an earlier process left behind.
  rmSync(path, { force: true });
  await listening(server, path);
  server.unref();
  return {
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new ConfigurationError(`--debug-socket-path ${path}: ${error.message}`)),
    );
    server.listen(path, () => resolve());
  });
