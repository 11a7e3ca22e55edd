import { createServer } from 'node:http';
import { addressOfUrl } from '../../addresses/url-address.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { CommandOutput } from '../output.ts';

const FLAG = '--listen-client-urls=';

/**
 * Stands in for the etcd that envtest starts and waits for: answers its health check until a signal ends it. It
 * stores nothing.
 * @param words the flags of etcd; only `--listen-client-urls` is read
 * @returns the exit code, after SIGTERM or SIGINT
 * @throws ConfigurationError when the flag is missing; the listener's error when the address is in use
 */
export async function runStandIn(words: readonly string[], output: CommandOutput): Promise<number> {
  const text = words.find((word) => word.startsWith(FLAG))?.slice(FLAG.length);
  if (text === undefined || !URL.canParse(text))
    throw new ConfigurationError(`${FLAG.slice(0, -1)} must be one URL, as envtest sets it`);
  const { host, port } = addressOfUrl(new URL(text));
  const server = createServer((request, response) => {
    const healthy = request.url === '/health';
    response.writeHead(healthy ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      healthy ? '{"health":"true"}' : '{"error":"this etcd stores nothing: binnacle keeps objects"}',
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  output.error(`answering health checks at ${text}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  server.close();
  server.closeAllConnections();
  return 0;
}
