import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/documents.ts';
import { BuiltServer } from './support/built-server.ts';

const PROGRAMS = join(ROOT, 'test/e2e/http2-clients');
const PATH = '/api/v1/namespaces/default/configmaps';
const OBJECTS = 60;
const OBJECT_BYTES = 200_000;
const TOKEN = 'clients-token';
/** An interpreter that has httpx and h2. */
const python = process.env['BINNACLE_TEST_PYTHON'] ?? 'python3';

const runs = (command: string, ...words: string[]): boolean =>
  spawnSync(command, words, { stdio: 'ignore' }).status === 0;

/** Clients with HTTP/2 implementations of their own, each on one connection. */
describe('HTTP/2 clients', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-http2-clients-'));
  const tokens = join(directory, 'tokens.csv');
  writeFileSync(tokens, `${TOKEN},client,client,system:masters\n`);
  const server = new BuiltServer([`--token-auth-file=${tokens}`, '--controllers=-*']);
  let listBytes = 0;

  beforeAll(async () => {
    await server.start();
    const data = { text: 'x'.repeat(OBJECT_BYTES) };
    for (let index = 0; index < OBJECTS; index += 1)
      await server.json('POST', PATH, { metadata: { name: `large-${index}` }, data });
    listBytes = Buffer.byteLength((await server.request(PATH)).text);
  });
  afterAll(async () => {
    await server.remove();
    rmSync(directory, { recursive: true });
  });

  /** Runs a program, which must succeed, and returns its output. */
  const run = (command: string, ...words: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, SERVER: server.url, TOKEN };
      const child = spawn(command, words, { cwd: PROGRAMS, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0 ? resolve(output) : reject(new Error(`exit ${code}: ${output}`)),
      );
    });

  /** A watch, a list and 100 GETs at the same time; objects of other tests may have joined the list. */
  const expectShared = (output: string) => {
    const [, gets, list, event] = /^gets=(\d+) list=(\d+) event=(\w+)/m.exec(output) ?? [output];
    expect({ gets, event }).toEqual({ gets: '100', event: 'true' });
    expect(Number(list)).toBeGreaterThanOrEqual(listBytes);
  };

  it.skipIf(!runs('go', 'version'))("Go's client", async () => {
    const output = await run('go', 'run', 'client.go');
    expectShared(output);
    expect(output).toMatch(/connections=1\n/);
  });

  it.skipIf(!runs(python, '-c', 'import httpx, h2'))("Python's httpx", async () => {
    expectShared(await run(python, 'client.py'));
  });

  it.skipIf(!runs('java', '--version'))("Java's client", async () => {
    expectShared(await run('java', 'Client.java'));
  });

  it.skipIf(!runs('curl', '--version'))('curl', async () => {
    const url = `${server.url}${PATH}`;
    const common = ['-sSk', '--http2', '-H', `Authorization: Bearer ${TOKEN}`];
    const format = ['-o', '/dev/null', '-w', '%{http_version} %{http_code} %{size_download}\n'];
    const list = await run('curl', ...common, ...format, url);
    expect(list).toMatch(/^2 200 \d+\n$/);
    expect(Number(list.split(' ')[2])).toBeGreaterThanOrEqual(listBytes);

    // A body above a megabyte waits for window updates; it is above the limit of an object.
    const body = join(directory, 'body.json');
    writeFileSync(
      body,
      JSON.stringify({ metadata: { name: 'by-curl' }, data: { text: 'y'.repeat(1_000_000) } }),
    );
    const type = ['-H', 'Content-Type: application/json'];
    expect(await run('curl', ...common, ...format, ...type, '--data-binary', `@${body}`, url)).toMatch(
      /^2 201 /,
    );
    writeFileSync(body, 'z'.repeat(8 << 20));
    expect(await run('curl', ...common, ...format, ...type, '--data-binary', `@${body}`, url)).toMatch(
      /^2 413 /,
    );
    expect(await run('curl', ...common, '-I', `${url}/large-1`)).toMatch(/^HTTP\/2 405/);
  });

  it.skipIf(!runs('h2load', '--version'))('h2load', async () => {
    const words = ['-n', '2000', '-c', '4', '-m', '32', '-H', `Authorization: Bearer ${TOKEN}`];
    const output = await run('h2load', ...words, `${server.url}/api/v1/namespaces/default`);
    expect(output).toContain('2000 succeeded, 0 failed, 0 errored, 0 timeout');
    // Small flow control windows: 2^10 - 1 bytes a stream, 2^16 - 1 a connection.
    const small = ['-n', '20', '-c', '2', '-m', '10', '-w', '10', '-W', '16'];
    const lists = await run(
      'h2load',
      ...small,
      '-H',
      `Authorization: Bearer ${TOKEN}`,
      `${server.url}${PATH}/large-1`,
    );
    expect(lists).toContain('20 succeeded, 0 failed, 0 errored, 0 timeout');
  });
});
