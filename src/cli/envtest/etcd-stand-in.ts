import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressOfUrl } from '../../addresses/url-address.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { CommandOutput } from '../output.ts';

const FLAG = 'listen-client-urls';
const FLAG_WORD = /^--?listen-client-urls(?:=(.*))?$/;
/** The version of etcd that kube-apiserver 1.32 is tested with. */
const ETCD_VERSION = '3.5.16';
/** envtest asks for the help before each start, and adds `--unsafe-no-fsync` where it is listed. */
const HELP = `Usage:
  etcd --${FLAG} URL[,URL]

Stands in for etcd in test environments: answers health checks until a signal ends it, and stores nothing. Other
flags of etcd are accepted and have no effect.
`;

/** What harnesses ask of etcd, by path. */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['/health', '{"health":"true","reason":""}'],
  ['/livez', 'ok\n'],
  ['/readyz', 'ok\n'],
  ['/version', JSON.stringify({ etcdserver: ETCD_VERSION, etcdcluster: '3.5.0' })],
]);

/**
 * Stands in for the etcd that envtest starts and waits for: answers its health check until a signal ends it. It
 * stores nothing.
 * @param words the flags of etcd; only `--listen-client-urls` is read
 * @returns the exit code, after SIGTERM or SIGINT
 * @throws ConfigurationError when the flag is missing; the listener's error when the address is in use
 */
export async function runStandIn(words: readonly string[], output: CommandOutput): Promise<number> {
  if (words.some((word) => /^--?(help|h)$/.test(word))) {
    output.out(HELP);
    return 0;
  }
  if (words.some((word) => /^--?version(=true)?$/.test(word))) {
    output.out(`etcd Version: ${ETCD_VERSION}\n`);
    return 0;
  }
  const urls = listenUrls(words);
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  const servers = await Promise.all(urls.map(listen));
  const addresses = servers.map((server) => server.address() as AddressInfo);
  output.error(`answering health checks on ${addresses.map(({ port }) => `port ${port}`).join(', ')}\n`);
  await ended;
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  return 0;
}

/** The URLs of `--listen-client-urls`, by the rules of Go's flags: one dash or two, `=` or a second word. */
function listenUrls(words: readonly string[]): URL[] {
  const found = words.flatMap((word, index) => {
    const [, value] = FLAG_WORD.exec(word) ?? [undefined, null];
    return value === null ? [] : [value ?? words[index + 1] ?? ''];
  });
  const urls = (found.at(-1) ?? '')
    .split(',')
    .map((text) => (URL.canParse(text) ? new URL(text) : undefined));
  if (!urls.every((url) => url?.protocol === 'http:'))
    throw new ConfigurationError(`--${FLAG} must be http URLs with commas between them, as envtest sets it`);
  return urls as URL[];
}

async function listen(url: URL): Promise<Server> {
  const { host, port } = addressOfUrl(url);
  const server = createServer((request, response) => {
    const answer = ANSWERS.get(request.url ?? '');
    response.writeHead(answer === undefined ? 404 : 200, {
      'content-type': answer === 'ok\n' ? 'text/plain' : 'application/json',
    });
    response.end(answer ?? '{"error":"this etcd stores nothing: binnacle keeps objects"}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
