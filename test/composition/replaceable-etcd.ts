import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterOptions, startCluster, type TestCluster } from '../../src/testing/index.ts';
import { type EtcdMember, EtcdProcesses } from '../storage/etcd/etcd-process.ts';
import { FaultProxy } from '../storage/etcd/fault-proxy.ts';
import { temporaryDirectory } from '../storage/temporary.ts';

/** An etcd member whose data can be copied and replaced, behind a proxy, and the servers on it. */
export class ReplaceableEtcd {
  readonly servers: TestCluster[] = [];

  private constructor(
    readonly directory: string,
    private readonly etcd: EtcdProcesses,
    private readonly proxy: FaultProxy,
  ) {}

  static async start(): Promise<ReplaceableEtcd> {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-replaced-'));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(directory, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const etcd = await EtcdProcesses.start();
    return new ReplaceableEtcd(directory, etcd, await FaultProxy.start(etcd.urls[0]!));
  }

  get member(): EtcdMember {
    return this.etcd.members[0]!;
  }

  /** What clients connect to. */
  get url(): string {
    return this.proxy.url;
  }

  /** Options of a server on this store; all servers use one key for tokens. */
  options(options: ClusterOptions = {}): ClusterOptions {
    const keyFile = join(this.directory, 'key.pem');
    return {
      storageBackend: 'etcd3',
      etcdServers: [this.url],
      etcdPrefix: '/registry',
      dataDir: temporaryDirectory(),
      serviceAccountSigningKeyFile: keyFile,
      serviceAccountIssuer: ['https://kubernetes.default.svc'],
      serviceAccountKeyFile: [keyFile],
      ...options,
    };
  }

  /** Starts a server on this store, which {@link stop} stops. */
  async serve(options?: ClusterOptions): Promise<TestCluster> {
    const server = await startCluster(this.options(options));
    this.servers.push(server);
    return server;
  }

  /** Copies the data of etcd, as a backup. */
  async backUp(): Promise<void> {
    await this.member.kill();
    cpSync(this.member.dataDirectory, this.#copy, { recursive: true });
    this.member.start();
    await this.member.ready();
  }

  /** Puts the copy where the data of etcd was. */
  readonly restore = (): void => cpSync(this.#copy, this.member.dataDirectory, { recursive: true });

  /**
   * Stops etcd, and starts it with other data, behind connections that are refused until it is prepared.
   * @param prepare writes the data; none is an empty store
   * @param change what others do to the store before the servers reach it
   */
  async replace(
    prepare: () => void,
    flags: readonly string[] = [],
    change = async (): Promise<void> => undefined,
  ): Promise<void> {
    this.proxy.cut();
    await this.member.kill();
    rmSync(this.member.dataDirectory, { recursive: true, force: true });
    prepare();
    this.member.start(flags);
    await this.member.ready();
    await change();
    this.proxy.restore();
  }

  async stop(): Promise<void> {
    this.proxy.restore();
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.proxy.close();
    await this.etcd.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  get #copy(): string {
    return join(this.directory, 'copy');
  }
}

/** Waits until a server has started again, and is ready. */
export async function startedAgain(server: TestCluster): Promise<void> {
  await until(async () => server.log.some((line) => line.includes('started again from the state')));
  await until(async () => (await server.fetch('/readyz')).status === 200);
}

/** Waits until a condition holds; one that throws does not hold. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20));
}
