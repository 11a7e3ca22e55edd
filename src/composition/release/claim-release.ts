import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { Minor } from '../../model/life.ts';
import type { Logger } from '../../observability/log.ts';
import { directDialer } from '../../outbound/dialer.ts';
import { REGISTRY_ROOT } from '../../resources/stored-resource.ts';
import type { ReleaseRecord } from '../../storage/release-record.ts';
import { fromKey, type Storage } from '../../storage/storage.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import type { Server } from '../start/open-server.ts';
import type { Store } from '../start/open-store.ts';
import type { StartContext } from '../start/start-context.ts';
import { createStoredDecoder } from '../stored-decoder.ts';
import { chooseRelease } from './choose-release.ts';
import { type RecordOptions, withReleaseRecord } from './release-record.ts';

/** Entries that are read at once, and the keys that an error names. */
const PAGE = 200;
const NAMED = 5;

/** {@link claimRelease} for the store of a server; one in memory has no record. */
export async function claimStore(
  { configuration, logger }: StartContext,
  { egress }: Server,
  { storage }: Store,
): Promise<void> {
  const { storageBackend, scheme } = configuration;
  const values: RecordOptions = configuration.values;
  if (storageBackend === 'memory') return;
  const dial = egress.etcd === directDialer ? undefined : egress.etcd;
  await withReleaseRecord(
    values,
    storageBackend,
    async (record) => {
      if (!configuration.given.has('kubernetesVersion')) await requireRelease(record, scheme.minor);
      await claimRelease(record, storage, scheme.minor, logger);
    },
    { dial },
  );
}

/**
 * Without a flag, a server has the minor of its data, or the default one if it could not read their record: then
 * other data are not taken over.
 * @throws ConfigurationError in one line, with the way out
 */
export async function requireRelease(record: ReleaseRecord, minor: Minor): Promise<void> {
  const written = await record.read();
  if (written === undefined || written === minor) return;
  chooseRelease(record.place, written, undefined);
  throw new ConfigurationError(
    `${record.place} was written under Kubernetes ${written}, which could not be read before the server was made for ${minor}: start it again once etcd answers, or with --kubernetes-version=${written}`,
  );
}

/**
 * Records under which minor version a store is served from now on. The caller owns the store, or the store is shared.
 * @param record of the store
 * @param storage its content, decrypted; read when the minor is older than the one of the record
 * @throws ConfigurationError when the data cannot be served under this minor; they are left as they are
 */
export async function claimRelease(
  record: ReleaseRecord,
  storage: Storage,
  minor: Minor,
  logger: Logger,
): Promise<void> {
  const written = await record.read();
  if (written === minor) return;
  chooseRelease(record.place, written, minor);
  if (written !== undefined) {
    if (Number(written.slice(2)) > Number(minor.slice(2)))
      refuseUnreadable(record.place, written, minor, await unreadableKeys(storage, minor));
    logger.info('the data are served under another Kubernetes version than before', {
      place: record.place,
      from: written,
      to: minor,
    });
  }
  await record.write(minor);
}

interface Unreadable {
  readonly count: number;
  /** The first ones. */
  readonly keys: readonly string[];
}

function refuseUnreadable(place: string, written: string, minor: string, { count, keys }: Unreadable): void {
  if (count === 0) return;
  const named = keys.map((key) => JSON.stringify(fromKey(key))).join(', ');
  throw new ConfigurationError(
    `${place} has ${count} objects that Kubernetes ${minor} cannot read (${named}${count > keys.length ? ' …' : ''}): start it with --kubernetes-version=${written} and delete them, or go on serving ${written}`,
  );
}

/** The keys whose values a minor version cannot decode. Kinds that it does not know are left alone, and count as read. */
async function unreadableKeys(storage: Storage, minor: Minor): Promise<Unreadable> {
  const decoder = createStoredDecoder(minor);
  const keys: string[] = [];
  let count = 0;
  try {
    for await (const { key, value, corruption } of entriesOf(storage)) {
      if (corruption !== undefined) continue;
      try {
        decoder.decode(key, value);
      } catch {
        count += 1;
        if (keys.length < NAMED) keys.push(key);
      }
    }
  } finally {
    decoder.close();
  }
  return { count, keys };
}

/** All entries in the order of their keys. */
async function* entriesOf(storage: Storage) {
  const end = `${REGISTRY_ROOT.slice(0, -1)}0`;
  let revision = 0;
  for (let start = REGISTRY_ROOT; ; ) {
    const range = { start, end, limit: PAGE, uncounted: true, revision };
    const found = await storage.range(range);
    revision ||= found.revision;
    for (const entry of found.entries) {
      yield entry;
      await yieldToEventLoop();
    }
    const last = found.entries.at(-1);
    if (!found.more || last === undefined) return;
    start = `${last.key}\0`;
  }
}
