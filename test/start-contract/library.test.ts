import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import type { ServerOptions } from '../../src/options/options.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { inProcessFetch } from '../../src/testing/fetch.ts';

let running: RunningServer | undefined;
const files = new TemporaryDirectory();
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
const start = async (options: ServerOptions) => {
  running = await startServer(options, { log: () => undefined });
  return running;
};

it('an ephemeral server of the library is in memory, on a free port, ready, and writes nothing', async () => {
  const server = await start({ ephemeral: true });
  expect(server).toMatchObject({ dataDirectory: undefined, kubeconfigFile: undefined });
  expect(server.port).not.toBe(6443);
  expect(server.readyLine).toEqual({
    binnacle: expect.any(String),
    url: server.url,
    ca: server.caBundle,
    version: expect.stringMatching(/^1\.\d+\.\d+$/),
    pid: process.pid,
  });
  const [, certificate] = /client-certificate-data: (\S+)/.exec(server.kubeconfig)!;
  const fetch = inProcessFetch(server.handle, Buffer.from(certificate!, 'base64').toString());
  expect((await fetch('/readyz')).status).toBe(200);
});

it('the ready file of the library is there when the server has started, and goes with it', async () => {
  const readyFile = files.path('ready.json');
  const server = await start({ ephemeral: true, readyFile, printToken: true });
  const line = JSON.parse(readFileSync(readyFile, 'utf8'));
  expect(line).toEqual(server.readyLine);
  expect(line.token).toMatch(/^[0-9a-f]{64}$/);
  await server.stop();
  expect(existsSync(readyFile)).toBe(false);
});

it('a server that does not start leaves no ready file, and the failure is that of the start', async () => {
  const readyFile = files.path('failed.json');
  await expect(start({ ephemeral: true, readyFile, bindAddress: '203.0.113.1' })).rejects.toThrow(
    '203.0.113.1 is not a local address',
  );
  expect(existsSync(readyFile)).toBe(false);
});

it.each([
  [
    { exitWithParent: true },
    'exitWithParent is for the command line: a program that embeds a server calls stop()',
  ],
  [
    { kubeconfigOut: '-' },
    'kubeconfigOut must name a file: - is for the command line, and server.kubeconfig has the text',
  ],
  [
    { ephemeral: true, dataDir: 'd' },
    '--data-dir can not be combined with --ephemeral, which keeps objects in memory',
  ],
  [
    { ephemeral: true, storageBackend: 'embedded' },
    '--storage-backend=embedded can not be combined with --ephemeral',
  ],
] as const)('%j is refused', async (options, message) => {
  await expect(start(options)).rejects.toThrow(expect.objectContaining({ message }));
});
