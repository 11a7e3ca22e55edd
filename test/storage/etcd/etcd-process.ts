import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: a script without types
import { etcdPath } from '../../../scripts/etcd.mjs';
import { Http2Channel, type Http2ChannelOptions } from '../../../src/grpc/http2-channel.ts';
import { decodeRange } from '../../../src/storage/etcd/messages.ts';
import { encodeRange } from '../../../src/storage/etcd/requests.ts';
import { FaultProxy } from './fault-proxy.ts';

const binary: string = etcdPath();

/** The tests are skipped without etcd; `npm run test:etcd` builds it. */
export const hasEtcd = existsSync(binary);

export const CHANNEL = { connectTimeout: 2000, keepaliveInterval: 1000, keepaliveTimeout: 1000 };

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** A key in etcd. */
export interface StoredPair {
  readonly key: string;
  readonly value: Buffer;
  /** Of its last change. */
  readonly revision: number;
}

const base64 = (bytes: string | Buffer): string =>
  (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes).toString('base64');

/** One member of a cluster. */
export class EtcdMember {
  process: ChildProcess | undefined;
  /** What the other members reach this one by, in a cluster with peer proxies. */
  proxy: FaultProxy | undefined;

  constructor(
    readonly url: string,
    private readonly args: readonly string[],
    private readonly tls: Http2ChannelOptions['tls'],
    /** Its data; a stopped member starts on what is there. */
    readonly dataDirectory: string,
  ) {}

  /** @param flags further flags, which override those of the cluster */
  start(flags: readonly string[] = []): void {
    this.process = spawn(binary, [...this.args, ...flags], { stdio: 'ignore' });
  }

  /** Changes a key outside of the prefixes of servers, which raises the revision. Returns the revision. */
  async touch(): Promise<number> {
    const { header } = await this.#post<{ header: { revision: string } }>('kv/put', { key: 'dG91Y2hlZA==' });
    return Number(header.revision);
  }

  /** Writes a key. Returns the revision. */
  async put(key: string, value: string | Buffer): Promise<number> {
    const { header } = await this.#post<{ header: { revision: string } }>('kv/put', {
      key: base64(key),
      value: base64(value),
    });
    return Number(header.revision);
  }

  async remove(key: string): Promise<void> {
    await this.#post('kv/deleterange', { key: base64(key) });
  }

  /** The keys that were written last, the newest first. */
  async newest(limit: number): Promise<StoredPair[]> {
    const { kvs = [] } = await this.#post<{ kvs?: { key: string; value?: string; mod_revision: string }[] }>(
      'kv/range',
      { key: 'AA==', range_end: 'AA==', sort_target: 'MOD', sort_order: 'DESCEND', limit },
    );
    return kvs.map(({ key, value = '', mod_revision }) => ({
      key: Buffer.from(key, 'base64').toString('latin1'),
      value: Buffer.from(value, 'base64'),
      revision: Number(mod_revision),
    }));
  }

  /** Discards the history below a revision. */
  async compact(revision: number): Promise<void> {
    await this.#post('kv/compaction', { revision, physical: true });
  }

  /** Waits until the member answers a linearizable read. */
  async ready(): Promise<void> {
    for (;;) {
      const channel = new Http2Channel(this.url, { ...CHANNEL, ...(this.tls && { tls: this.tls }) });
      try {
        const request = encodeRange({ key: 'x' });
        decodeRange(await channel.unary('/etcdserverpb.KV/Range', request, { timeout: 1000 }));
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      } finally {
        channel.close();
      }
    }
  }

  /** The id of this member and of the leader ('0' without one), from the JSON gateway of etcd. */
  async leaderId(): Promise<{ id: string; leader: string }> {
    const status = await this.#post<{ header: { member_id: string }; leader?: string }>('maintenance/status');
    return { id: status.header.member_id, leader: status.leader ?? '0' };
  }

  /** Ends all leases, as if their time had passed. */
  async revokeLeases(): Promise<void> {
    const { leases = [] } = await this.#post<{ leases?: { ID: string }[] }>('lease/leases');
    for (const { ID } of leases) await this.#post('lease/revoke', { ID });
  }

  async #post<Answer>(method: string, body: object = {}): Promise<Answer> {
    const answer = await fetch(`${this.url}/v3/${method}`, { method: 'POST', body: JSON.stringify(body) });
    return (await answer.json()) as Answer;
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.process!.kill(signal);
  }

  async kill(): Promise<void> {
    const running = this.process;
    this.process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }
}

/** An etcd cluster in processes of its own. */
export class EtcdProcesses {
  private constructor(
    readonly members: readonly EtcdMember[],
    private readonly directory: string,
  ) {}

  /**
   * @param flags further flags of each member
   * @param tls the client's certificates, for members with TLS
   * @param withPeerProxies lets {@link cutOff} separate members
   */
  static async start(
    size = 1,
    flags: readonly string[] = [],
    tls?: Http2ChannelOptions['tls'],
    withPeerProxies = false,
  ): Promise<EtcdProcesses> {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-etcd-'));
    const ports = await freePorts(2 * size);
    const listening = Array.from({ length: size }, (_, index) => `http://127.0.0.1:${ports[size + index]}`);
    const proxies = withPeerProxies ? await Promise.all(listening.map((url) => FaultProxy.start(url))) : [];
    const peers = listening.map((url, index) => `m${index}=${proxies[index]?.url ?? url}`);
    const members = peers.map((peer, index) => {
      const url = `${tls ? 'https' : 'http'}://127.0.0.1:${ports[index]}`;
      const peerUrl = peer.slice(peer.indexOf('=') + 1);
      const member = new EtcdMember(
        url,
        [
          `--name=m${index}`,
          `--data-dir=${join(directory, `m${index}`)}`,
          `--listen-client-urls=${url}`,
          `--advertise-client-urls=${url}`,
          `--listen-peer-urls=${listening[index]}`,
          `--initial-advertise-peer-urls=${peerUrl}`,
          `--initial-cluster=${peers.join(',')}`,
          '--max-request-bytes=8388608',
          '--unsafe-no-fsync',
          // The clients of tests check their connections more often.
          '--grpc-keepalive-min-time=500ms',
          '--log-level=error',
          ...flags,
        ],
        tls,
        join(directory, `m${index}`),
      );
      member.proxy = proxies[index];
      return member;
    });
    const cluster = new EtcdProcesses(members, directory);
    for (const member of members) member.start();
    await Promise.all(members.map((member) => member.ready()));
    return cluster;
  }

  get urls(): string[] {
    return this.members.map(({ url }) => url);
  }

  /** The member that leads at present. */
  async leader(): Promise<EtcdMember> {
    const ids = await Promise.all(this.members.map((member) => member.leaderId()));
    return this.members[ids.findIndex(({ id, leader }) => id === leader)]!;
  }

  /** Separates a member from the others; clients still reach it. Needs peer proxies. */
  async cutOff(member: EtcdMember): Promise<void> {
    const { id } = await member.leaderId();
    member.proxy!.cut();
    for (const other of this.members)
      if (other !== member) other.proxy!.refuse(`X-Server-From: ${BigInt(id).toString(16)}`);
  }

  /** Ends the separation of members. */
  reconnect(): void {
    for (const { proxy } of this.members) proxy?.restore();
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    await Promise.all(this.members.map(({ proxy }) => proxy?.close()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}
