import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks, pageText } from '../support/documents.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { BuiltServer } from './support/built-server.ts';
import { EXECUTABLE, MAIN } from './support/command.ts';
import { type ContractOptions, ContractServer } from './support/contract-server.ts';
import { until } from './support/until.ts';

const PAGE = 'docs/troubleshooting.md';
const NOBODY = ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'];

/** The line of each failure on the page, by its heading. */
const LINES = new Map(
  pageText(PAGE)
    .split('\n')
    .flatMap((line, index) => (line.startsWith('### ') ? [[line.slice(4), index + 1] as const] : []))
    .map(([heading, at]) => [heading, codeBlocks(PAGE).find(({ line }) => line > at)!.text] as const),
);

/** What the page shows, as a pattern of a whole line: `<…>` is any text. */
const patternOf = (line: string) =>
  new RegExp(
    `(?:^|\\] )${line
      .split(/<[a-z]+>/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^\\n]*')}\\n?$`,
    'm',
  );

/** Stops a test that cannot be run here, with the reason. */
class CannotRun extends Error {}

describe(PAGE, () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-troubleshooting-'));
  const servers: ContractServer[] = [];
  const lasting = new BuiltServer();
  let disk: SmallDisk | undefined;
  beforeAll(async () => {
    await lasting.start();
    await lasting.end('SIGTERM');
    await lasting.start();
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.remove()));
    await lasting.remove();
    disk?.unmount();
    rmSync(directory, { recursive: true, force: true });
  });
  const at = (name: string): string => join(directory, name);
  const start = (words: readonly string[], options?: ContractOptions): ContractServer => {
    const server = new ContractServer(words, options);
    servers.push(server);
    return server;
  };
  /** The log of a start that fails. */
  const failed = async (words: readonly string[], options?: ContractOptions): Promise<string> => {
    const server = start(words, options);
    expect((await server.ended).code).toBe(1);
    return server.log;
  };
  /** A copy of a data directory that was used. */
  const copy = (name: string): string => {
    cpSync(join(lasting.directory, 'data'), at(name), { recursive: true });
    return at(name);
  };
  /** The message of an answer. */
  const message = async (path: string, method = 'GET', body?: unknown, client = {}): Promise<string> => {
    const { text } = await lasting.request(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...client,
    });
    return text.startsWith('{') ? (JSON.parse(text) as { message: string }).message : text;
  };
  const MAPS = '/api/v1/namespaces/default/configmaps';

  const CAUSES: Readonly<Record<string, () => Promise<string>>> = {
    'Another program has the port': () =>
      failed(['--ephemeral', `--secure-port=${new URL(lasting.url).port}`]),
    'The address belongs to another machine': () => failed(['--ephemeral', '--bind-address=203.0.113.1']),
    'Another server has the data directory': () =>
      failed([`--data-dir=${join(lasting.directory, 'data')}`, '--secure-port=0']),
    'The data directory is that of something else': async () => {
      mkdirSync(at('other'));
      writeFileSync(at('other/notes.txt'), '');
      return failed([`--data-dir=${at('other')}`]);
    },
    async 'The data directory belongs to another user'() {
      if (spawnSync(NOBODY[0]!, [...NOBODY.slice(1), process.execPath, '--version']).status !== 0)
        throw new CannotRun('the user cannot be changed here');
      chmodSync(directory, 0o755);
      return failed([`--data-dir=${copy('of-root')}`, '--secure-port=0'], {
        through: NOBODY,
        directory: '/',
      });
    },
    async 'The data directory comes from a newer version'() {
      const marker = join(copy('newer'), 'store/binnacle-storage');
      writeFileSync(marker, readFileSync(marker, 'utf8').replace(/\d+/, '99'));
      return failed([`--data-dir=${at('newer')}`, '--secure-port=0']);
    },
    async 'The store is damaged'() {
      writeFileSync(join(copy('damaged'), 'store/data.mdb'), 'nonsense');
      return failed([`--data-dir=${at('damaged')}`, '--secure-port=0']);
    },
    'A flag is misspelt': () => failed(['--secure-prot=1']),
    'The value of a flag has another form': () => failed(['--secure-port=abc']),
    'A feature gate does not exist': () => failed(['--ephemeral', '--feature-gates=Nope=true']),
    'A file that a flag names is missing': () => failed(['--ephemeral', '--client-ca-file=ca.crt']),
    'A certificate does not fit its key': () => {
      const pki = join(lasting.directory, 'data/pki');
      const files = [`--tls-cert-file=${pki}/apiserver.crt`, `--tls-private-key-file=${pki}/admin.key`];
      return failed(['--ephemeral', ...files]);
    },
    'etcd without a signing key': () => failed(['--etcd-servers=http://127.0.0.1:9']),
    async 'etcd does not answer'() {
      const key = join(lasting.directory, 'data/service-account.key');
      const server = start([
        '--etcd-servers=http://127.0.0.1:9',
        `--service-account-signing-key-file=${key}`,
        '--service-account-issuer=https://issuer.example.com',
        '--secure-port=0',
      ]);
      await until(() => server.log.includes('\n'), 'a line');
      return server.log;
    },
    'The parent has no pipe': () => failed(['--ephemeral', '--exit-with-parent'], { input: 'ignore' }),
    async 'The temporary folder is full'() {
      mkdirSync(at('small'));
      disk = SmallDisk.mount(at('small'), 1);
      if (disk === undefined) throw new CannotRun('a small file system cannot be mounted here');
      disk.fill();
      return failed(['--ephemeral'], { environment: { TMPDIR: at('small') } });
    },
    'Node.js is too old'() {
      if (EXECUTABLE !== undefined) throw new CannotRun('the executable has its own Node.js');
      const old = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.0'}})";
      return failed(['--ephemeral'], {
        environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` },
      });
    },
    async 'A dependency is missing'() {
      if (EXECUTABLE !== undefined) throw new CannotRun('the executable has its dependencies');
      cpSync(dirname(MAIN), at('copied/dist'), {
        recursive: true,
        // The compiled command has its dependencies, except for the library of the store.
        filter: (file) => !/\.map$|^(compiled|executables|types)$/.test(basename(file)),
      });
      writeFileSync(at('copied/package.json'), '{"type":"module"}');
      const { stderr } = spawnSync(process.execPath, [at('copied/dist/main.js'), '--ephemeral'], {
        encoding: 'utf8',
      });
      return stderr;
    },
    async 'The client speaks plain HTTP'() {
      const answer = await fetch(lasting.url.replace('https', 'http'));
      return answer.text();
    },
    'The credentials belong to another server': async () => {
      const other = await start(['--ephemeral']).ready();
      return message(MAPS, 'GET', undefined, { client: { cert: other.tls.cert, key: other.tls.key } });
    },
    'The user may not do that': () => message('/api/v1/pods', 'GET', undefined, { client: {} }),
    'The kind is not defined': () => message('/apis/example.com/v1/websites'),
    async 'A webhook does not answer'() {
      const unused = createServer();
      await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve));
      const { port } = unused.address() as { port: number };
      await new Promise((resolve) => unused.close(resolve));
      const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
      await lasting.json('POST', webhooks, {
        metadata: { name: 'gone' },
        webhooks: [
          {
            name: 'gone.example.com',
            clientConfig: { url: `https://127.0.0.1:${port}/validate` },
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
            ],
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      });
      let answer = '';
      await until(async () => {
        answer = await message(`${MAPS}?dryRun=All`, 'POST', { metadata: { generateName: 'a-' } });
        return answer !== undefined;
      }, 'a refusal');
      await lasting.json('DELETE', `${webhooks}/gone`);
      return answer;
    },
    async 'The disk is full'() {
      const server = new BuiltServer();
      const small = SmallDisk.mount(server.directory, 140);
      try {
        if (small === undefined) throw new CannotRun('a small file system cannot be mounted here');
        await server.start();
        small.fill();
        let answer = '';
        // The file may have free pages.
        await until(async () => {
          const { status, text } = await server.request(MAPS, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ metadata: { generateName: 'a-' }, data: { a: 'x'.repeat(500_000) } }),
          });
          answer = text;
          return status !== 201;
        }, 'a refusal');
        return (JSON.parse(answer) as { message: string }).message;
      } finally {
        await server.end('SIGKILL');
        small?.unmount();
        await server.remove();
      }
    },
    async 'Pods do not run'() {
      await lasting.json('POST', '/api/v1/namespaces/default/pods', {
        metadata: { name: 'idle' },
        spec: { containers: [{ name: 'a', image: 'a' }] },
      });
      return message('/api/v1/namespaces/default/pods/idle/exec?command=ls&container=a&stdout=1', 'POST');
    },
  };

  it.for(Object.keys(CAUSES))('%s', async (name, { skip }) => {
    let output: string;
    try {
      output = await CAUSES[name]!();
    } catch (error) {
      if (error instanceof CannotRun) return skip(error.message);
      throw error;
    }
    expect(output).toMatch(patternOf(LINES.get(name)!));
  });

  it('has no failure without a test, and at least 20', () => {
    expect([...LINES.keys()]).toEqual(Object.keys(CAUSES));
    expect(LINES.size).toBeGreaterThanOrEqual(20);
  });
});
