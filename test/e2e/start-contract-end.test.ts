import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { createServer, type Server, connect as tcp } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND, MAIN } from './support/command.ts';
import { ContractServer } from './support/contract-server.ts';
import { until } from './support/until.ts';

/** Attempts to stay within a time that a busy machine may exceed. */
const ATTEMPTS = 5;
const JSON_BODY = { 'content-type': 'application/json' };

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The names of the tests are the rules of docs/start-contract.md, which test/documentation/rules.test.ts compares. */
describe('the end by the start contract', () => {
  let servers: ContractServer[] = [];
  let sessions: ClientHttp2Session[] = [];
  let hooks: Server[] = [];
  afterEach(async () => {
    for (const session of sessions) session.destroy();
    for (const hook of hooks) hook.close();
    await Promise.all(servers.map((server) => server.remove()));
    [servers, sessions, hooks] = [[], [], []];
  });
  const start = (...parameters: ConstructorParameters<typeof ContractServer>): ContractServer => {
    const server = new ContractServer(...parameters);
    servers.push(server);
    return server;
  };

  /** Ends new servers until one has ended within the time. @param prepare what a client does before the signal */
  async function endsWithin(
    milliseconds: number,
    signal: NodeJS.Signals,
    prepare: (server: ContractServer) => Promise<unknown> = async () => {},
  ): Promise<void> {
    const times: number[] = [];
    while (times.length < ATTEMPTS) {
      const server = await start(['--ephemeral']).ready();
      await prepare(server);
      const end = await server.end(signal);
      expect(end).toMatchObject({ code: 0, signal: null });
      expect(server.left).toEqual([]);
      times.push(end.milliseconds);
      if (end.milliseconds <= milliseconds) return;
    }
    expect(Math.min(...times)).toBeLessThanOrEqual(milliseconds);
  }

  const session = (server: ContractServer, settings = {}): ClientHttp2Session => {
    const opened = connect(server.line.url, { ...server.tls, settings });
    opened.on('error', () => undefined);
    sessions.push(opened);
    return opened;
  };
  const answered = async (opened: ClientHttp2Session, path: string): Promise<void> => {
    const stream = opened.request({ ':path': path });
    stream.on('error', () => undefined);
    await new Promise((resolve) => stream.once('response', resolve));
  };

  it('SIGTERM and SIGINT end an idle server within a second, with exit code 0.', async () => {
    await endsWithin(1000, 'SIGTERM');
    await endsWithin(1000, 'SIGINT');
  });

  describe('With requests in flight it takes two seconds at most: watches, responses that nobody reads, unfinished bodies, webhooks that do not answer.', () => {
    it('watches', () =>
      endsWithin(2000, 'SIGTERM', async (server) => {
        const opened = session(server);
        for (let index = 0; index < 5; index += 1) await answered(opened, '/api/v1/pods?watch=1');
      }));

    it('responses that nobody reads', () =>
      endsWithin(2000, 'SIGTERM', async (server) => {
        await answered(session(server, { initialWindowSize: 10 }), '/openapi/v2');
      }));

    it('unfinished bodies', () =>
      endsWithin(2000, 'SIGTERM', async (server) => {
        const stream = session(server).request({
          ':method': 'POST',
          ':path': '/api/v1/namespaces/default/configmaps',
          ...JSON_BODY,
        });
        stream.on('error', () => undefined);
        await new Promise<void>((resolve) => stream.write('{"metadata', () => resolve()));
      }));

    it('unfinished handshakes', () =>
      endsWithin(2000, 'SIGTERM', async (server) => {
        const { port, hostname } = new URL(server.line.url);
        await new Promise<void>((resolve) => {
          tcp(Number(port), hostname, resolve).on('error', () => undefined);
        });
      }));

    it('webhooks that do not answer', () =>
      endsWithin(2000, 'SIGTERM', async (server) => {
        let called = () => {};
        const call = new Promise<void>((resolve) => {
          called = resolve;
        });
        const hook = createServer((socket) => socket.on('error', () => undefined) && called());
        hooks.push(hook);
        await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
        const { port } = hook.address() as { port: number };
        const configuration = {
          metadata: { name: 'silent' },
          webhooks: [
            {
              name: 'silent.example.com',
              clientConfig: { url: `https://127.0.0.1:${port}/` },
              rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['*'], operations: ['*'] }],
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              timeoutSeconds: 30,
            },
          ],
        };
        const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
        const post = { ...server.tls, method: 'POST', headers: JSON_BODY };
        const created = await server.request(path, { ...post, body: JSON.stringify(configuration) });
        expect(created.status).toBe(201);
        const body = '{"metadata":{"name":"a"}}';
        const create = () =>
          server.request('/api/v1/namespaces/default/configmaps', { ...post, body }).catch(() => undefined);
        // The configuration is used soon after it is there.
        const requests = setInterval(() => void create(), 50);
        await call;
        clearInterval(requests);
      }));
  });

  it('A second signal ends it at once, with exit code 1, or 130 for SIGINT.', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 1],
      ['SIGINT', 130],
    ] as const) {
      // Without the second signal it would take a minute.
      const server = await start(['--ephemeral', '--shutdown-delay-duration=1m']).ready();
      server.child.kill('SIGTERM');
      await until(() => server.log.includes('"stopping"'), 'the first signal');
      expect(await server.end(signal)).toMatchObject({ code, signal: null });
      expect(server.left).toEqual([]);
    }
  });

  it('A signal before the line ends it at once, with exit code 1, or 130 for SIGINT.', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = join(mkdtempSync(join(tmpdir(), 'binnacle-contract-')), 'key.pem');
    onTestFinished(() => rmSync(dirname(key), { recursive: true }));
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    for (const [signal, code] of [
      ['SIGTERM', 1],
      ['SIGINT', 130],
    ] as const) {
      // The start waits for a store that never answers; `--ephemeral` has none.
      const server = start([
        '--etcd-servers=http://127.0.0.1:9',
        `--service-account-signing-key-file=${key}`,
        '--service-account-issuer=https://issuer.example.com',
        '--secure-port=0',
      ]);
      await until(() => server.log.includes('http://127.0.0.1:9'), 'the wait for the store');
      expect(await server.end(signal)).toMatchObject({ code, signal: null });
      expect([server.out, server.left]).toEqual(['', []]);
    }
  });

  it('After the end nothing of it is in the temporary folder.', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await start(['--ephemeral']).ready();
      expect(server.left).toHaveLength(1);
      await server.end(signal);
      expect(server.left).toEqual([]);
    }
  });

  it('What a killed server (SIGKILL) left is removed by the next ephemeral server of the same user.', async () => {
    const killed = await start(['--ephemeral']).ready();
    const other = join(killed.temporary, 'other');
    mkdirSync(other);
    const running = await start(['--ephemeral'], { environment: { TMPDIR: killed.temporary } }).ready();
    await killed.end('SIGKILL');
    expect(killed.left).toHaveLength(3);
    const next = await start(['--ephemeral'], { environment: { TMPDIR: killed.temporary } }).ready();
    await until(() => !existsSync(killed.line.kubeconfig!), 'the removal');
    expect([other, running.line.kubeconfig!, next.line.kubeconfig!].filter(existsSync)).toHaveLength(3);
  });

  it('With `--exit-with-parent` the end of the standard input ends the server as SIGTERM does.', async () => {
    const server = await start(['--ephemeral', '--exit-with-parent']).ready();
    server.child.stdin!.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.log).toContain('"stopping" reason="the standard input ended"');
    expect(server.left).toEqual([]);
  });

  it('The end of the parent process ends it too, although another process keeps the standard input open.', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const command = process.argv.slice(1);
      // The pipe is this process's own standard input.
      spawn(command[0], command.slice(1), { stdio: 'inherit' });
    `;
    const holder = spawn('sleep', ['1000'], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void holder.kill('SIGKILL'));
    const server = await start(['--ephemeral', '--exit-with-parent'], {
      through: [process.execPath, '-e', script, '--'],
      input: holder.stdout,
    }).ready();
    const { pid } = server.line;
    expect(pid).not.toBe(server.child.pid);
    server.child.kill('SIGKILL');
    await until(() => !isRunning(pid), 'the end of the server');
    expect(server.log).toContain('"stopping" reason="the parent process ended"');
    expect(server.left).toEqual([]);
  });

  it('A parent that is killed leaves neither the server nor its folder behind.', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'binnacle-contract-'));
    const script = `
      const { spawn } = require('node:child_process');
      const [file, ...words] = ${JSON.stringify(COMMAND)};
      spawn(file, [...words, '--ephemeral', '--exit-with-parent', '--ready-file=ready.json']);
    `;
    const parent = spawn(process.execPath, ['-e', script], {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
    });
    await until(() => existsSync(join(folder, 'ready.json')), 'the ready file');
    const { pid } = JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8')) as { pid: number };
    expect(readdirSync(folder)).toHaveLength(2);
    parent.kill('SIGKILL');
    await until(() => !isRunning(pid), 'the end of the server');
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('Without the flag the end of the standard input means nothing.', async () => {
    const server = await start(['--ephemeral']).ready();
    server.child.stdin!.end();
    for (let round = 0; round < 3; round += 1) expect((await server.request('/readyz', {})).status).toBe(200);
    const without = await start(['--ephemeral'], { input: 'ignore' }).ready();
    expect((await without.request('/readyz', {})).status).toBe(200);
  });

  it('What is written to the standard input is discarded.', async () => {
    const server = await start(['--ephemeral', '--exit-with-parent']).ready();
    const chunk = Buffer.alloc(1 << 20, 'quit\n');
    for (let round = 0; round < 20; round += 1)
      await new Promise<void>((resolve) => server.child.stdin!.write(chunk, () => resolve()));
    expect((await server.request('/readyz', {})).status).toBe(200);
    server.child.stdin!.end();
    expect((await server.ended).code).toBe(0);
  });

  it('A standard input that is a file or `/dev/null` is refused.', async () => {
    for (const input of ['ignore', openSync(MAIN, 'r')] as const) {
      const server = start(['--ephemeral', '--exit-with-parent'], { input });
      expect(await server.ended).toEqual({ code: 1, signal: null });
      expect(server.log).toBe(
        'Error: --exit-with-parent needs a pipe as the standard input, and it is a file or /dev/null: keep a pipe to it open, whose end stops the server\n',
      );
      expect([server.out, server.left]).toEqual(['', []]);
    }
  });

  it('If the parent ends before the line, that is a failure.', async () => {
    const server = start(['--ephemeral', '--exit-with-parent']);
    server.child.stdin!.end();
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.log).toBe('Error: the standard input ended before the server was ready\n');
    expect([server.out, server.left]).toEqual(['', []]);
  });
});
