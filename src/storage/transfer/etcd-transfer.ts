import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { Cluster } from '../etcd/cluster.ts';
import { concurrently } from '../etcd/concurrently.ts';
import { KeyMapper } from '../etcd/keys.ts';
import {
  decodeHeaderOnly,
  decodeLeaseGrant,
  decodeLeaseTimeToLive,
  decodeRange,
  decodeTransaction,
  type KeyValue,
} from '../etcd/messages.ts';
import { COMPACT, GRANT, PUT, RANGE, TIME_TO_LIVE, TXN } from '../etcd/paths.ts';
import { releaseKey } from '../etcd/release-record.ts';
import {
  encodeCompaction,
  encodeLeaseGrant,
  encodeLeaseTimeToLive,
  encodePut,
  encodeRange,
  encodeTransaction,
} from '../etcd/requests.ts';
import { fromKey, prefixEnd } from '../storage.ts';
import type { TransferredEntry, TransferSource, TransferTarget } from './transfer.ts';

/** Values have at most about 1.5 MB, and an answer should not exceed the limits of etcd's gRPC by far. */
const PAGE_KEYS = 200;
const PAGE_OF_KEYS = 5000;
/** Writes at the same time. */
const CONCURRENT_WRITES = 64;
const KEYS_OF_A_LEASE = 1000;
/** Written until the revision of the target is high enough; then deleted. */
const COUNTER = '/binnacle-migration';

export interface EtcdTransferOptions {
  readonly cluster: Cluster;
  /** Without a slash at its end. */
  readonly prefix: string;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
}

/** Reads a prefix of etcd at one revision. */
export async function etcdSource(options: EtcdTransferOptions): Promise<TransferSource> {
  const { cluster, prefix } = options;
  const revision = (await countKeys(options)).revision;
  return {
    revision,
    prefix,
    entries: () => entriesOf(options, revision),
    isUnchanged: () => isUnchanged(options, revision),
    close: async () => cluster.close(),
  };
}

/** Whether no key was written since a revision. Keys may have expired; a server that runs renews its own. */
async function isUnchanged({ cluster, prefix }: EtcdTransferOptions, revision: number): Promise<boolean> {
  const rangeEnd = prefixEnd(`${prefix}/`);
  for (let key = `${prefix}/`; ; ) {
    const request = { key, rangeEnd, limit: PAGE_OF_KEYS, keysOnly: true };
    const { entries, more } = await cluster.call(RANGE, encodeRange(request), decodeRange);
    if (entries.some(({ modRevision }) => modRevision > revision)) return false;
    if (!more || entries.length === 0) return true;
    key = `${entries.at(-1)!.key}\0`;
  }
}

/** @throws ConfigurationError when the prefix has keys */
export async function etcdTarget(options: EtcdTransferOptions): Promise<TransferTarget> {
  const { cluster, prefix } = options;
  const { count } = await countKeys(options);
  if (count > 0) {
    await cluster.close();
    throw new ConfigurationError(
      `etcd has ${count} keys under ${prefix}/: name an empty prefix with --etcd-prefix, or delete them`,
    );
  }
  const writer = new EtcdWriter(options);
  return {
    prefix,
    write: (entries) => concurrently(entries, CONCURRENT_WRITES, (entry) => writer.create(entry)),
    finish: (revision, onProgress) => raise(cluster, prefix, revision, onProgress),
    entries: () => entriesOf(options, 0),
    close: async () => cluster.close(),
  };
}

async function countKeys({ cluster, prefix }: EtcdTransferOptions) {
  const range = { key: `${prefix}/`, rangeEnd: prefixEnd(`${prefix}/`), countOnly: true };
  const { header, count } = await cluster.call(RANGE, encodeRange(range), decodeRange);
  return { count, revision: header.revision };
}

async function* entriesOf(
  options: EtcdTransferOptions,
  at: number,
): AsyncGenerator<readonly TransferredEntry[]> {
  const { cluster, prefix } = options;
  const keys = new KeyMapper(prefix);
  const leases = new Map<string, number>();
  const rangeEnd = prefixEnd(`${prefix}/`);
  const record = releaseKey(prefix);
  let revision = at;
  for (let key = `${prefix}/`; ; ) {
    const request = { key, rangeEnd, revision, limit: PAGE_KEYS };
    const { entries, more, header } = await cluster.call(RANGE, encodeRange(request), decodeRange);
    revision ||= header.revision;
    const read: TransferredEntry[] = [];
    for (const entry of entries) {
      if (entry.key === record) continue;
      const expires = await expiryOf(options, leases, entry);
      if (expires === undefined) continue;
      const { value, modRevision, createRevision } = entry;
      read.push({ key: keys.fromEtcd(entry.key), value, revision: modRevision, createRevision, expires });
    }
    if (read.length > 0) yield read;
    if (!more || entries.length === 0) return;
    key = `${entries.at(-1)!.key}\0`;
  }
}

/** When the lease of a key ends; 0 without one, undefined if it has ended. */
async function expiryOf(
  { cluster, now }: EtcdTransferOptions,
  known: Map<string, number>,
  { lease }: KeyValue,
): Promise<number | undefined> {
  if (Number(lease) === 0) return 0;
  const name = String(lease);
  let expires = known.get(name);
  if (expires === undefined) {
    const { seconds } = await cluster.call(TIME_TO_LIVE, encodeLeaseTimeToLive(lease), decodeLeaseTimeToLive);
    expires = seconds < 0 ? 0 : now() + seconds * 1000;
    known.set(name, expires);
  }
  return expires === 0 ? undefined : expires;
}

/** Creates keys; keys that expire at about the same time share a lease. */
class EtcdWriter {
  readonly #options: EtcdTransferOptions;
  readonly #keys: KeyMapper;
  readonly #leases = new Map<number, { readonly id: Promise<number | bigint>; keys: number }>();

  constructor(options: EtcdTransferOptions) {
    this.#options = options;
    this.#keys = new KeyMapper(options.prefix);
  }

  async create({ key, value, expires }: TransferredEntry): Promise<void> {
    const { cluster, now } = this.#options;
    const seconds = Math.ceil((expires - now()) / 1000);
    if (expires > 0 && seconds <= 0) return;
    const lease = expires > 0 ? await this.#lease(seconds) : undefined;
    const name = this.#keys.toEtcd(key);
    const request = encodeTransaction({ key: name, modRevision: 0, value, lease });
    const { succeeded, current } = await cluster.call(TXN, request, decodeTransaction);
    // The first of two attempts may have been carried out without an answer.
    if (!succeeded && (current === undefined || Buffer.compare(current.value, value) !== 0))
      throw new ConfigurationError(
        `${JSON.stringify(fromKey(key))} was written by another process: the target must not be in use`,
      );
  }

  #lease(seconds: number): Promise<number | bigint> {
    const known = this.#leases.get(seconds);
    if (known !== undefined && known.keys < KEYS_OF_A_LEASE) {
      known.keys += 1;
      return known.id;
    }
    const id = this.#options.cluster
      .call(GRANT, encodeLeaseGrant(seconds), decodeLeaseGrant)
      .then((granted) => granted.id);
    this.#leases.set(seconds, { id, keys: 1 });
    return id;
  }
}

/** Each change of etcd raises its revision by one: writes one key until the revision is above `revision`. */
async function raise(
  cluster: Cluster,
  prefix: string,
  revision: number,
  onProgress: (revision: number) => void,
): Promise<number> {
  const name = `${prefix}${COUNTER}`;
  const put = encodePut(name, new Uint8Array(0));
  let reached = (await cluster.call(PUT, put, decodeHeaderOnly)).header.revision;
  const work = async () => {
    while (reached <= revision) {
      const { header } = await cluster.call(PUT, put, decodeHeaderOnly);
      reached = Math.max(reached, header.revision);
      onProgress(reached);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_WRITES }, work));
  const { header } = await cluster.call(
    TXN,
    encodeTransaction({ key: name, modRevision: reached, value: undefined }),
    decodeTransaction,
  );
  await cluster.call(COMPACT, encodeCompaction(header.revision), decodeHeaderOnly);
  return header.revision;
}
