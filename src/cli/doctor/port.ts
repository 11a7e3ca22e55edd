import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { listen } from '../../connection/listen-port.ts';
import { dataPaths } from '../../files/data-directory.ts';
import { localUrl } from '../../kubeconfig/write-kubeconfig.ts';
import { FLAGS } from '../../options/flags/table.ts';
import { type Check, type Finding, finding, findingOf, type Patient } from './finding.ts';

/** Longest wait for whoever has the port, in milliseconds. */
const PATIENCE = 2000;
/** Characters of an answer that are read. */
const LONGEST_ANSWER = 1 << 16;

/** Whether the port can be bound; otherwise who has it, and what a server would do. */
export const checkPort: Check = async (patient): Promise<Finding[]> => {
  const { options } = patient;
  const address = options.bindAddress ?? FLAGS.bindAddress.initial;
  const explicit = options.securePort !== undefined;
  const port = options.securePort ?? (options.ephemeral ? 0 : FLAGS.securePort.initial);
  try {
    await listen({ listen: bindOnce }, { address, port, explicit: true });
    return [
      finding('port', 'ok', port === 0 ? `a port of ${address} is free` : `${port} on ${address} is free`),
    ];
  } catch (error) {
    if (!/ is in use: /.test((error as Error).message)) return [findingOf('port', 'problem', error)];
  }
  const url = localUrl(address, port);
  const own = await ownServer(url, patient);
  if (own !== undefined) return [own];
  const user = await userOf(url, patient);
  const found = `${port} on ${address} is in use by ${user}`;
  if (explicit)
    return [
      finding(
        'port',
        'problem',
        found,
        'stop it, or choose another port with --secure-port (0 selects a free one)',
      ),
    ];
  try {
    const next = await listen({ listen: bindOnce }, { address, port, explicit: false });
    return [finding('port', 'note', `${found}; a server would use ${next}`)];
  } catch (error) {
    return [findingOf('port', 'problem', error)];
  }
};

/** Binds a port and releases it. */
function bindOnce(address: string, port: number): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, address, () => {
      const bound = (server.address() as { port: number }).port;
      server.close(() => resolve({ port: bound }));
    });
  });
}

/** The answer to a request without credentials, whoever gives it; undefined without an answer over TLS. */
function ask(url: string, path: string, { clock }: Patient): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
    let text = '';
    const end = (answer: string | undefined): void => {
      cancel();
      socket.destroy();
      resolve(answer);
    };
    const cancel = clock.after(PATIENCE, () => end(undefined));
    socket.on('error', () => end(undefined));
    socket.on('secureConnect', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`),
    );
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.length > LONGEST_ANSWER) end(text);
    });
    socket.on('end', () => end(text));
  });
}

/** What answers at a URL, in words that follow "in use by". */
async function userOf(url: string, patient: Patient): Promise<string> {
  const text = await ask(url, '/version', patient);
  if (text === undefined) return 'a program that does not speak TLS';
  const [, version] = /"gitVersion": ?"([\w.+-]{1,100})"/.exec(text) ?? [];
  if (version === undefined) return 'another program that speaks TLS';
  return version.includes('+binnacle-') ? `a Binnacle server (${version})` : `an API server (${version})`;
}

/** What the server of the data directory says of itself, if it is the one at the URL. */
async function ownServer(url: string, patient: Patient): Promise<Finding | undefined> {
  const { kubeconfig } = dataPaths(patient.dataDirectory);
  if (!existsSync(kubeconfig) || !readFileSync(kubeconfig, 'utf8').includes(`server: ${url}\n`))
    return undefined;
  const text = await ask(url, '/readyz', patient);
  if (text === undefined || !text.startsWith('HTTP/1.1 ')) return undefined;
  if (text.startsWith('HTTP/1.1 200 '))
    return finding('port', 'ok', `the server of this data directory is ready at ${url}`);
  const failed = [...text.matchAll(/^\[-\](\S{1,100}) failed/gm)].map(([, name]) => name);
  return finding(
    'port',
    'problem',
    `the server of this data directory is not ready at ${url}: ${failed.join(', ') || text.slice(0, 20)}`,
    'its log says why',
  );
}
