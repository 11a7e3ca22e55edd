import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SmallDisk } from '../support/small-disk.ts';
import { ContractServer } from './support/contract-server.ts';
import { until } from './support/until.ts';

const mode = (path: string) => statSync(path).mode & 0o777;

/** The names of the tests are the rules of docs/start-contract.md, which test/documentation/rules.test.ts compares. */
describe('the start contract', () => {
  let servers: ContractServer[] = [];
  let disk: SmallDisk | undefined;
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.child.kill('SIGKILL') && server.ended));
    disk?.unmount();
    disk = undefined;
    await Promise.all(servers.map((server) => server.remove()));
    servers = [];
  });
  const start = (...parameters: ConstructorParameters<typeof ContractServer>): ContractServer => {
    const server = new ContractServer(...parameters);
    servers.push(server);
    return server;
  };
  /** A start that fails: its exit code and both streams. */
  const failure = async (...parameters: ConstructorParameters<typeof ContractServer>) => {
    const server = start(...parameters);
    const { code } = await server.ended;
    return { code, out: server.out, log: server.log, left: server.left };
  };
  const oneLine = expect.stringMatching(/^Error: [^\n]+\n$/);

  it('`binnacle serve --ephemeral` and `binnacle --ephemeral` are the same.', async () => {
    for (const words of [['serve', '--ephemeral'], ['--ephemeral', 'serve'], ['--ephemeral']]) {
      const server = await start(words).ready();
      expect(Object.keys(server.line)).toEqual(['binnacle', 'url', 'kubeconfig', 'ca', 'version', 'pid']);
      await server.end('SIGTERM');
    }
  });

  it('Objects are in memory: nothing is written to the working directory.', async () => {
    const server = await start(['--ephemeral']).ready();
    const body = JSON.stringify({ metadata: { name: 'a' } });
    const headers = { 'content-type': 'application/json' };
    const created = await server.request('/api/v1/namespaces/default/configmaps', {
      ...server.tls,
      method: 'POST',
      headers,
      body,
    });
    expect(created.status).toBe(201);
    await server.end('SIGTERM');
    expect(readdirSync(server.working)).toEqual([]);
  });

  it('The server binds a free port of 127.0.0.1 itself, unless `--secure-port` asks for another.', async () => {
    const free = await start(['--ephemeral']).ready();
    const url = new URL(free.line.url);
    expect(url.hostname).toBe('127.0.0.1');
    expect(url.port).not.toBe('6443');
    await free.end('SIGTERM');
    const chosen = await start(['--ephemeral', `--secure-port=${url.port}`]).ready();
    expect(chosen.line.url).toBe(free.line.url);
  });

  it('Flags for lasting data are refused: `--data-dir`, `--etcd-servers`, another `--storage-backend`.', async () => {
    for (const flag of ['--data-dir=data', '--etcd-servers=http://127.0.0.1:1', '--storage-backend=embedded'])
      expect(await failure(['--ephemeral', flag])).toEqual({
        code: 1,
        out: '',
        log: expect.stringMatching(
          new RegExp(`^Error: [^\n]*${flag.split('=')[0]}[^\n]* can not be combined with --ephemeral`),
        ),
        left: [],
      });
  });

  it('When `/readyz` passes, the standard output has exactly one line, a JSON object, and gets nothing more.', async () => {
    const server = await start(['--ephemeral', '--v=4']).ready();
    const { out } = server;
    expect((await server.request('/readyz', {})).status).toBe(200);
    expect(out).toMatch(/^\{"binnacle":"[^\n]+\}\n$/);
    await server.end('SIGTERM');
    expect(server.out).toBe(out);
  });

  it('The log is on the standard error; flags that split it are refused.', async () => {
    const server = await start(['--ephemeral', '--v=4']).ready();
    await server.end('SIGTERM');
    expect(server.log).toMatch(/^I\d{4} [^\n]*"stopping" reason="SIGTERM"$/m);
    expect(server.out).not.toContain('stopping');
    const split = ['--feature-gates=LoggingAlphaOptions=true', '--log-text-split-stream'];
    expect(await failure(['--ephemeral', ...split])).toMatchObject({
      code: 1,
      log: 'Error: --log-text-split-stream can not be combined with --ephemeral: the standard output has no log then\n',
    });
  });

  it('`kubeconfig` names a file of mode 600 in a folder of mode 700, with the credentials inline.', async () => {
    const server = await start(['--ephemeral']).ready();
    const file = server.line.kubeconfig!;
    expect(dirname(dirname(file))).toBe(server.temporary);
    expect([mode(file), mode(dirname(file))]).toEqual([0o600, 0o700]);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(server.line.url);
    expect(text).not.toMatch(/certificate-authority:|client-certificate:|client-key:/);
    expect((await server.request('/api/v1/secrets')).status).toBe(200);
  });

  it('`version` is what `/version` answers, without prefix and suffix.', async () => {
    const server = await start(['--ephemeral']).ready();
    expect(server.line.version).toMatch(/^\d+\.\d+\.\d+$/);
    const { gitVersion } = JSON.parse((await server.request('/version', {})).text) as { gitVersion: string };
    expect(gitVersion.split('+')[0]).toBe(`v${server.line.version}`);
  });

  it('`ca` verifies the server, and `pid` is its process.', async () => {
    const server = await start(['--ephemeral']).ready();
    expect(server.line.pid).toBe(server.child.pid);
    expect(server.credential('certificate-authority-data')).toBe(server.line.ca);
    await expect(server.request('/livez', { ca: [] })).rejects.toThrow(/certificate/);
  });

  it('`token` is there with `--print-token` only, is accepted until the process ends, and stands for the administrator.', async () => {
    expect((await start(['--ephemeral']).ready()).line).not.toHaveProperty('token');
    const server = await start(['--ephemeral', '--print-token']).ready();
    const ask = (token: string) =>
      server.request('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
    const { token } = server.line;
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse((await ask(token!)).text)).toMatchObject({
      status: {
        userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
      },
    });
    expect((await ask(`${token!.slice(1)}x`)).status).toBe(401);
    const next = await start(['--ephemeral', '--print-token']).ready();
    expect(next.line.token).not.toBe(token);
    expect(server.log).not.toContain(token);
  });

  it('`--print-token` is refused where no line would have the token.', async () => {
    for (const flags of [[], ['--ephemeral', '--kubeconfig-out=-']])
      expect(await failure(['--print-token', ...flags])).toMatchObject({ code: 1, out: '', log: oneLine });
  });

  it('`--ready-file FILE` has the same line, with mode 600, complete as soon as it is there.', async () => {
    const server = start(['--ephemeral', '--ready-file=deep/ready.json']);
    const file = join(server.working, 'deep/ready.json');
    await until(() => existsSync(file), 'the ready file');
    const text = readFileSync(file, 'utf8');
    expect(mode(file)).toBe(0o600);
    await server.ready();
    expect(text).toBe(server.out);
    expect(readdirSync(dirname(file))).toEqual(['ready.json']);
  });

  it('A ready file of an earlier server is removed at the start; another file is left alone and refuses the start.', async () => {
    const first = await start(['--ephemeral', '--ready-file=ready.json']).ready();
    await first.end('SIGKILL');
    const file = join(first.working, 'ready.json');
    const former = readFileSync(file, 'utf8');
    const failing = ['--ephemeral', `--ready-file=${file}`, '--bind-address=203.0.113.1'];
    expect((await failure(failing)).code).toBe(1);
    expect(existsSync(file)).toBe(false);
    const second = await start(['--ephemeral', `--ready-file=${file}`]).ready();
    expect(readFileSync(file, 'utf8')).toBe(second.out);
    expect(second.out).not.toBe(former);
    const other = join(first.working, 'other.json');
    writeFileSync(other, '{"other":1}');
    for (const path of [other, first.working])
      expect(await failure(['--ephemeral', `--ready-file=${path}`])).toMatchObject({
        code: 1,
        log: `Error: ${path} exists and is not a ready file: choose another file with --ready-file, or remove it\n`,
      });
    expect(readFileSync(other, 'utf8')).toBe('{"other":1}');
  });

  it('The ready file goes when the server stops.', async () => {
    const server = await start(['--ephemeral', '--ready-file=ready.json']).ready();
    expect(readdirSync(server.working)).toEqual(['ready.json']);
    await server.end('SIGTERM');
    expect(readdirSync(server.working)).toEqual([]);
    const slow = ['--ephemeral', '--ready-file=ready.json', '--shutdown-delay-duration=1m'];
    const ended = await start(slow).ready();
    ended.child.kill('SIGTERM');
    await until(() => ended.log.includes('"stopping"'), 'the first signal');
    await ended.end('SIGTERM');
    expect(readdirSync(ended.working)).toEqual([]);
  });

  it('`--ready-file` works without `--ephemeral`: the start screen stays as it is.', async () => {
    const server = start(['--data-dir=data', '--secure-port=0', '--ready-file=ready.json']);
    const file = join(server.working, 'ready.json');
    await until(() => existsSync(file), 'the ready file');
    const line = JSON.parse(readFileSync(file, 'utf8')) as { url: string; kubeconfig: string };
    await server.ready();
    expect(server.out).toContain(`is ready at ${line.url}`);
    expect(line.kubeconfig).toBe(join(server.working, 'data/kubeconfig'));
  });

  it('With `--kubeconfig-out=-` only the kubeconfig is on the standard output, and no file is written.', async () => {
    const server = start(['--ephemeral', '--kubeconfig-out=-', '--ready-file=ready.json']);
    await until(() => server.out.endsWith('current-context: binnacle\n'), 'the kubeconfig');
    const line = JSON.parse(readFileSync(join(server.working, 'ready.json'), 'utf8')) as { url: string };
    expect(server.out).toMatch(/^# Written by Binnacle[^\n]*\napiVersion: v1\nkind: Config\n/);
    expect(server.out).toContain(line.url);
    expect(line).not.toHaveProperty('kubeconfig');
    expect(server.left).toEqual([]);
    const lasting = start(['--data-dir=data', '--secure-port=0', '--kubeconfig-out=-']);
    await until(() => lasting.out.endsWith('current-context: binnacle\n'), 'the kubeconfig');
    await until(() => lasting.log.includes('is ready at'), 'the start screen on the standard error');
    expect(existsSync(join(lasting.working, 'data/kubeconfig'))).toBe(false);
  });

  it('With `--kubeconfig-out=FILE` the line names this file, which stays after the end.', async () => {
    const server = await start(['--ephemeral', '--kubeconfig-out=config']).ready();
    const file = join(server.working, 'config');
    expect(server.line.kubeconfig).toBe(file);
    expect(server.left).toEqual([]);
    await server.end('SIGTERM');
    expect(readFileSync(file, 'utf8')).toContain(server.line.url);
  });

  it('With `--kubeconfig-out=` none is written, and the line has no `kubeconfig`.', async () => {
    const server = await start(['--ephemeral', '--kubeconfig-out=']).ready();
    expect(server.line).not.toHaveProperty('kubeconfig');
    expect([...server.left, ...readdirSync(server.working)]).toEqual([]);
  });

  it('A failure before the line is one line on the standard error that begins with `Error: `, nothing on the standard output, and exit code 1.', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const failures = [
      ['--no-such-flag'],
      ['--secure-port=70000'],
      [`--secure-port=${port}`],
      ['--bind-address=203.0.113.1'],
      ['--client-ca-file=/absent'],
      ['--ready-file=/proc/ready'],
      ['--kubeconfig-out=/proc/config'],
      ['--encryption-provider-config=/absent'],
      ['extra'],
    ];
    for (const flags of failures)
      expect([flags, await failure(['--ephemeral', ...flags])]).toEqual([
        flags,
        { code: 1, out: '', log: oneLine, left: [] },
      ]);
    taken.close();
  });

  it('A temporary folder that is full, absent or read-only is a failure that names what to do, and `--kubeconfig-out=-` needs none.', async ({
    skip,
  }) => {
    const advice =
      /^Error: [^\n]+: set TMPDIR to another folder, or use --kubeconfig-out=- for the standard output\n$/;
    const absent = await failure(['--ephemeral'], { environment: { TMPDIR: '/absent' } });
    expect(absent).toMatchObject({ code: 1, out: '', log: expect.stringMatching(advice) });
    const place = start(['--ephemeral']);
    const folder = join(place.working, 'small');
    mkdirSync(folder);
    disk = SmallDisk.mount(folder, 1);
    if (disk === undefined) return skip('a small file system cannot be mounted here');
    disk.fill();
    const full = await failure(['--ephemeral'], { environment: { TMPDIR: folder } });
    expect(full).toMatchObject({ code: 1, out: '', log: expect.stringMatching(advice) });
    expect(full.log).toContain('no space left on device');
    expect(readdirSync(folder)).toEqual(['filler']);
    disk.makeReadOnly();
    const fixed = await failure(['--ephemeral'], { environment: { TMPDIR: folder } });
    expect(fixed).toMatchObject({ code: 1, out: '', log: expect.stringMatching(advice) });
    const server = start(['--ephemeral', '--kubeconfig-out=-'], { environment: { TMPDIR: folder } });
    await until(() => server.out.endsWith('current-context: binnacle\n'), 'the kubeconfig');
    expect((await server.end('SIGTERM')).code).toBe(0);
  });

  it('A parent that reads neither stream does not stop the server, and does not delay its end.', async () => {
    const file = 'ready.json';
    const server = start(['--ephemeral', '--v=9', `--ready-file=${file}`], { reads: false });
    await until(() => existsSync(join(server.working, file)), 'the ready file');
    server.out = readFileSync(join(server.working, file), 'utf8');
    const session = connect(server.line.url, server.tls);
    const ask = (path: string) =>
      new Promise<void>((resolve, reject) => {
        const stream = session.request({ ':path': path });
        stream.on('error', reject).on('end', resolve).resume();
      });
    // Each request logs its path: more than a pipe holds, and more than may wait.
    for (let round = 0; round < 300; round += 1) await ask(`/livez?${'x'.repeat(8000)}`);
    session.destroy();
    expect((await server.request('/readyz', {})).status).toBe(200);
    const { code, milliseconds } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(milliseconds).toBeLessThan(10_000);
  });

  it('A standard output that is closed does not end the server.', async () => {
    const server = await start(['--ephemeral', '--ready-file=ready.json']).ready();
    server.child.stdout!.destroy();
    server.child.stderr!.destroy();
    for (let round = 0; round < 3; round += 1) expect((await server.request('/readyz', {})).status).toBe(200);
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, signal: null });
  });
});
