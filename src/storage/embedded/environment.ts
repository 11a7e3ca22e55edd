import type { Database, RootDatabase } from 'lmdb';
import { StorageUnavailableError } from '../storage.ts';
import type { Owner } from './owner.ts';

/** One table of the data file. Keys are byte strings, or revisions in the log. */
export interface Table<K extends string | number> {
  /**
   * Calls `read` with a buffer that the next read overwrites, and the size of the value in it; undefined when
   * the key is absent.
   */
  get<T>(key: K, read: (buffer: Buffer, size: number) => T): T | undefined;
  has(key: K): boolean;
  /** Keys from `start`, below `end` if given, at most `limit`. */
  keys(start: K, end: K | undefined, limit: number): K[];
  lastKey(): K | undefined;
  count(start: K, end: K | undefined): number;
  /** Number of all keys, without counting them. */
  size(): number;
  /** Only within {@link Environment.commit}. `value` must not change until the commit has finished. */
  put(key: K, value: Buffer): void;
  /** Only within {@link Environment.commit}. */
  remove(key: K): void;
}

/** Usage of the data file, in bytes. */
export interface FileUsage {
  /** End of the last page that was ever used. */
  readonly end: number;
  /** Bytes in use; the remaining pages are reused before the file grows. */
  readonly used: number;
}

/** Upper bound of the bytes that a commit adds to the file. */
export interface Growth {
  /** Pages of tables, which may be scattered. */
  readonly pages: number;
  /** Records, each of which may need contiguous pages. */
  readonly records: number;
}

export interface Environment {
  readonly live: Table<string>;
  readonly log: Table<number>;
  readonly deleted: Table<string>;
  readonly leases: Table<string>;
  readonly meta: Table<string>;
  /** The recorded owner. */
  owner(): Owner | undefined;
  /**
   * Records `owner` if the recorded owner still has `expectedEpoch`; false when another process won the race.
   */
  claim(expectedEpoch: number | undefined, owner: Owner): boolean;
  /**
   * Commits the puts and removals of `write` atomically; durable when the promise resolves.
   * @returns false, with nothing written, when the recorded owner's epoch is not `epoch`
   * @throws the system's error; the environment must then be closed, since a second commit may never finish
   */
  commit(epoch: number, write: () => void): Promise<boolean>;
  /** Measured over all tables in about 0.2 ms. */
  usage(): FileUsage;
  /**
   * Copies the current state of the file off the event loop, while commits continue.
   * @param compact omits free pages; fails when lmdb finds pages that are neither used nor free
   */
  backup(path: string, compact: boolean): Promise<void>;
  close(): Promise<void>;
}

export type OpenEnvironment = (path: string, options?: { readOnly?: boolean }) => Promise<Environment>;

const ownerKey = 'owner';
/** Larger pages waste less for values of 1–3 kB than the system's 4 kB. */
export const pageSize = 8192;
/**
 * Address space for the file, in bytes. A file that outgrows its mapping is mapped again while readers keep
 * the old mapping, and pages read through both count twice in the process's memory. Up to this size there is
 * one mapping.
 */
const mappedBytes = 4 * 2 ** 30;
/** The two header pages of the file. */
const headerPages = 2;

/** Encodes a table's keys into lmdb's buffers; supported by lmdb, missing from its type declarations. */
interface KeyEncoder<K> {
  writeKey(key: K | undefined, target: Buffer, position: number): number;
  readKey(source: Buffer, start: number, end: number): K;
}

const textKeys: KeyEncoder<string> = {
  writeKey: (key = '', target, position) =>
    position + Buffer.prototype.write.call(target, key, position, key.length, 'latin1'),
  readKey: (source, start, end) => Buffer.prototype.toString.call(source, 'latin1', start, end),
};

const revisionKeys: KeyEncoder<number> = {
  writeKey: (key = 0, target, position) => Buffer.prototype.writeUIntBE.call(target, key, position, 6),
  readKey: (source, start) => Buffer.prototype.readUIntBE.call(source, start, 6),
};

/** Opens the data file after {@link inspectDataFile} has accepted it. Only this module loads lmdb. */
export const openEnvironment: OpenEnvironment = async (path, { readOnly = false } = {}) => {
  const { open } = await import('lmdb');
  const options = {
    path,
    readOnly,
    // Overlapping sync would make commits visible before they are durable.
    overlappingSync: false,
    eventTurnBatching: false,
    pageSize,
    mapSize: mappedBytes,
    maxDbs: 8,
    encoding: 'binary' as const,
    // The file contains secrets.
    permissionsMode: 0o600,
  };
  const root = open(options);
  return new LmdbEnvironment(root, path);
};

/** Codes of lmdb for a corrupt file: page not found, corrupted, panic, invalid. */
const corruptionCodes: ReadonlySet<unknown> = new Set([-30797, -30796, -30795, -30793]);

interface TreeStatistics {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** Statistics of lmdb for a table, with those of the whole file, the root tree and the tree of free pages. */
interface TableStatistics extends TreeStatistics {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly root: TreeStatistics;
  readonly free: TreeStatistics;
}

class LmdbEnvironment implements Environment {
  readonly live: Table<string>;
  readonly log: Table<number>;
  readonly deleted: Table<string>;
  readonly leases: Table<string>;
  readonly meta: Table<string>;
  readonly #root: RootDatabase;
  #closing: Promise<void> | undefined;
  readonly #owner: Database<Buffer, string>;
  readonly #tables: Database<Buffer, string | number>[] = [];

  constructor(root: RootDatabase, path: string) {
    this.#root = root;
    const fail = (error: unknown): unknown => {
      if (!corruptionCodes.has((error as { code?: unknown }).code)) return error;
      // The read transaction that hit the corruption refuses all further reads.
      root.resetReadTxn();
      const { message } = error as Error;
      return new StorageUnavailableError(
        `${path} is damaged (${message}): stop the server and restore a backup of its data directory`,
      );
    };
    const database = <K extends string | number>(
      name: string,
      keyEncoder: KeyEncoder<K>,
      useVersions = false,
    ) => {
      const options = { name, encoding: 'binary' as const, keyEncoder, useVersions };
      const table = root.openDB<Buffer, K>(options);
      this.#tables.push(table as unknown as Database<Buffer, string | number>);
      return table;
    };
    const text = (name: string) => database(name, textKeys);
    this.live = new LmdbTable(text('live'), '', fail);
    this.log = new LmdbTable(database('log', revisionKeys), 0, fail);
    this.deleted = new LmdbTable(text('deleted'), '', fail);
    this.leases = new LmdbTable(text('leases'), '', fail);
    this.meta = new LmdbTable(text('meta'), '', fail);
    this.#owner = database('owner', textKeys, true);
  }

  owner(): Owner | undefined {
    const found = this.#owner.getBinary(ownerKey);
    return found && (JSON.parse(Buffer.from(found).toString()) as Owner);
  }

  claim(expectedEpoch: number | undefined, owner: Owner): boolean {
    return this.#owner.transactionSync(() => {
      if (this.owner()?.epoch !== expectedEpoch) return false;
      void this.#owner.put(ownerKey, Buffer.from(JSON.stringify(owner)), owner.epoch);
      return true;
    });
  }

  async commit(epoch: number, write: () => void): Promise<boolean> {
    try {
      return await this.#owner.ifVersion(ownerKey, epoch, write);
    } catch (error) {
      // lmdb hides the reason in a second promise, which would end the process as an unhandled rejection.
      const reason: unknown = await (error as { commitError?: Promise<never> }).commitError?.catch(
        (inner: unknown) => inner,
      );
      throw reason ?? error;
    }
  }

  usage(): FileUsage {
    const statistics = this.#tables.map((table) => table.getStats() as TableStatistics);
    const { root, free, pageSize, lastPageNumber } = statistics[0]!;
    const pages = [root, free, ...statistics].reduce(
      (sum, one) => sum + one.treeBranchPageCount + one.treeLeafPageCount + one.overflowPages,
      headerPages,
    );
    return { end: (lastPageNumber + 1) * pageSize, used: pages * pageSize };
  }

  async backup(path: string, compact: boolean): Promise<void> {
    await this.#root.backup(path, compact);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#root.close();
    await this.#closing;
  }
}

class LmdbTable<K extends string | number> implements Table<K> {
  constructor(
    private readonly database: Database<Buffer, K>,
    private readonly lowest: K,
    private readonly fail: (error: unknown) => unknown,
  ) {}

  get<T>(key: K, read: (buffer: Buffer, size: number) => T): T | undefined {
    let found: Buffer | undefined;
    try {
      found = this.database.getBinaryFast(key);
    } catch (error) {
      throw this.fail(error);
    }
    return found && read(found, (this.database as unknown as { lastSize: number }).lastSize);
  }

  has(key: K): boolean {
    return this.#read(() => this.database.doesExist(key));
  }

  keys(start: K, end: K | undefined, limit: number): K[] {
    return this.#read(() => [...this.database.getKeys({ start, end, limit })]);
  }

  lastKey(): K | undefined {
    return this.#read(() => [...this.database.getKeys({ reverse: true, limit: 1, end: this.lowest })][0]);
  }

  count(start: K, end: K | undefined): number {
    return this.#read(() => this.database.getKeysCount({ start, end }));
  }

  size(): number {
    return this.#read(() => (this.database.getStats() as { entryCount: number }).entryCount);
  }

  put(key: K, value: Buffer): void {
    void this.database.put(key, value);
  }

  remove(key: K): void {
    void this.database.remove(key);
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.fail(error);
    }
  }
}
