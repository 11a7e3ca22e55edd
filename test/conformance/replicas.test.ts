import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A server that answers with its flags, and ends with status 3 if one of them is `--bad`. */
const SERVER = `
import { createServer } from 'node:http';
const flags = process.argv.slice(2);
const valueOf = (name) => flags.find((flag) => flag.startsWith(name + '=')).slice(name.length + 1);
if (flags.includes('--bad')) { console.log('a bad flag'); process.exit(3); }
const server = createServer((_, response) => response.end(flags.join(' ')));
server.listen({ host: valueOf('--bind-address'), port: valueOf('--secure-port') }, () => console.log('is ready at x'));
`;

describe.skipIf(process.platform !== 'linux')('servers behind a balancer', () => {
  let directory: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-replicas-'));
    writeFileSync(join(directory, 'server.mjs'), SERVER);
  });
  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });

  const start = async (...flags: string[]) => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const server = [process.execPath, join(directory, 'server.mjs')];
    const words = ['--replicas=2', ...server, ...flags, '--bind-address=127.0.0.1', `--secure-port=${port}`];
    child = spawn(process.execPath, ['scripts/support/replicas.mjs', ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return { url: `http://127.0.0.1:${port}`, child, output: child.stdout! };
  };

  it('answer in turn, each with its own address and directory, and end together', async () => {
    const { url, child, output } = await start('--data-dir=/tmp/d');
    await once(output, 'data');
    const answers: string[] = [];
    for (let count = 0; count < 4; count += 1)
      answers.push(await (await fetch(url, { headers: { connection: 'close' } })).text());
    expect(answers[0]).toContain('--data-dir=/tmp/d-0 --bind-address=127.0.0.2 ');
    expect(answers[1]).toContain('--data-dir=/tmp/d-1 --bind-address=127.0.0.3 ');
    expect(answers.slice(2)).toEqual(answers.slice(0, 2));
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('end with the status and the output of the one that fails', async () => {
    const { child, output } = await start('--bad');
    let text = '';
    output.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    expect(await once(child, 'close')).toEqual([3, null]);
    expect(text).toContain('a bad flag');
  });
});
