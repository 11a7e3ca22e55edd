import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { connect } from 'node:http2';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { EXECUTABLE } from './support/command.ts';
import { ContractServer, processorMilliseconds } from './support/contract-server.ts';
import { until } from './support/until.ts';

/** A user that no table of users names. */
const NOBODY = '54321';
/** Hours by which the clock is off, one after the other, for 150 ms each. */
const JUMPS = [0, 9, -13, 3, -6];
const JUMPING_CLOCK = `
  const now = Date.now;
  const jumps = ${JSON.stringify(JUMPS)};
  Date.now = () => now() + jumps[Math.floor(performance.now() / 150) % jumps.length] * 3_600_000;
`;
/** Servers that start at once, and the processor time of two processors in 5 s, in milliseconds. */
const AT_ONCE = 8;
const PROCESSOR_TIME = 2 * 5000;

const succeeds = (command: readonly string[]) =>
  spawnSync(command[0]!, command.slice(1), { stdio: 'ignore' }).status === 0;

/** The names of the tests are the rules of docs/start-contract.md, which test/documentation/rules.test.ts compares. */
describe('the start contract in other surroundings', () => {
  let servers: ContractServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.remove()));
    servers = [];
  });
  const start = (...parameters: ConstructorParameters<typeof ContractServer>): ContractServer => {
    const server = new ContractServer(...parameters);
    servers.push(server);
    return server;
  };
  const works = async (server: ContractServer): Promise<void> => {
    expect((await server.request('/api/v1/namespaces')).status).toBe(200);
    expect((await server.request('/readyz', {})).status).toBe(200);
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, signal: null });
    expect(server.left).toEqual([]);
    // No warnings or errors.
    expect(server.log).toMatch(/^(I\d{4} [^\n]*\n)*$/);
  };

  it('Host names of 64 bytes, or with other characters than DNS has, change nothing.', async ({ skip }) => {
    const named = (name: string) => [
      'unshare',
      '--uts',
      'sh',
      '-c',
      `printf %s '${name}' > /proc/sys/kernel/hostname && exec "$@"`,
      'sh',
    ];
    if (!succeeds([...named('name'), 'true'])) return skip('the host name cannot be set here');
    for (const name of ['a'.repeat(64), `${'b'.repeat(63)}.`, 'hôte_1', '-'])
      await works(await start(['--ephemeral', '--bind-address=0.0.0.0'], { through: named(name) }).ready());
  });

  it('A machine without IPv6 is served.', async ({ skip }) => {
    const through = [
      'unshare',
      '--net',
      'sh',
      '-c',
      'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 && ip link set lo up && exec "$@"',
      'sh',
    ];
    if (!succeeds([...through, 'true'])) return skip('networks cannot be separated here');
    const server = await start(['--ephemeral'], { through }).ready();
    const script = `
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      fetch('${server.line.url}/readyz').then(async (answer) => console.log(answer.status, await answer.text()));
    `;
    const inside = ['--target', String(server.line.pid), '--net', process.execPath, '-e', script];
    expect(spawnSync('nsenter', inside, { encoding: 'utf8' }).stdout).toBe('200 ok\n');
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, signal: null });
    const failed = start(['--ephemeral', '--bind-address=::1'], { through });
    expect((await failed.ended).code).toBe(1);
    expect(failed.log).toMatch(/^Error: failed to create listener: [^\n]+\n$/);
  });

  it('It needs no home, no user name and no writable working directory.', async ({ skip }) => {
    const environment = { HOME: undefined, USER: undefined, LOGNAME: undefined, PATH: undefined };
    await works(await start(['--ephemeral'], { environment, directory: '/proc' }).ready());
    await works(await start(['--ephemeral'], { environment: { HOME: '/absent' } }).ready());
    const as = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
    if (!succeeds([...as, process.execPath, '--version'])) return skip('the user cannot be changed here');
    const other = start(['--version']);
    await other.ended;
    for (const folder of [other.home, other.temporary]) chmodSync(folder, 0o777);
    const environmentOfOther = { ...environment, TMPDIR: other.temporary };
    const server = await start(['--ephemeral'], {
      through: as,
      environment: environmentOfOther,
      directory: '/',
    }).ready();
    expect(dirname(dirname(server.line.kubeconfig!))).toBe(other.temporary);
    expect((await server.request('/api/v1/namespaces')).status).toBe(200);
    await server.end('SIGTERM');
    expect(other.left).toEqual([]);
  });

  it('A clock that jumps by hours, to and fro, changes neither start nor requests nor end.', async ({
    skip,
  }) => {
    if (EXECUTABLE !== undefined) return skip('an executable loads no module before its own');
    const server = await start(['--ephemeral', '--print-token'], {
      environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(JUMPING_CLOCK)}` },
    }).ready();
    const session = connect(server.line.url, server.tls);
    const watch = session.request({ ':path': '/api/v1/namespaces/default/configmaps?watch=1' });
    let events = '';
    watch.on('data', (chunk: Buffer) => {
      events += chunk;
    });
    for (let index = 0; index < 20; index += 1) {
      const created = await server.request('/api/v1/namespaces/default/configmaps', {
        method: 'POST',
        headers: { authorization: `Bearer ${server.line.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name: `c${index}` } }),
      });
      expect(created.status).toBe(201);
      expect((await server.request('/api/v1/namespaces')).status).toBe(200);
    }
    await until(() => events.includes('"name":"c19"'), 'the last event');
    session.destroy();
    await server.end('SIGTERM');
    const seen = new Set(
      [...events.matchAll(/"creationTimestamp":"([^"]+)"/g)].map(([, time]) => Date.parse(time!)),
    );
    // The clock did jump.
    expect(Math.max(...seen) - Math.min(...seen)).toBeGreaterThan(3_600_000);
  });

  it('Eight servers that are started at once are ready within 5 s of two processors, and have different ports.', async ({
    skip,
  }) => {
    const started = Array.from({ length: AT_ONCE }, () => start(['--ephemeral']));
    const times = await Promise.all(
      started.map(async (server) => {
        await server.ready();
        return process.platform === 'linux' ? processorMilliseconds(server.line.pid) : undefined;
      }),
    );
    expect(new Set(started.map(({ line }) => line.url)).size).toBe(AT_ONCE);
    if (times.includes(undefined)) return skip('processor time is read from /proc');
    expect(times.reduce((sum, time) => sum! + time!, 0)).toBeLessThan(PROCESSOR_TIME);
  });
});
