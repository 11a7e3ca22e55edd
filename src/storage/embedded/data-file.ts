import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Checks the data file before lmdb maps it into memory: reading a mapped file that is truncated or malformed
 * ends the process with a signal that cannot be caught.
 */

const magic = 0xbeefc0de;
const dataVersion = 2;
const headerSize = 24;
const pageFlags = { branch: 0x01, leaf: 0x02, meta: 0x08 };
const nodeFlags = { bigData: 0x01, subDatabase: 0x02 };
/** Attempts on a changing file before it counts as being written by another process. */
const attempts = 5;
const noPage = 0xffff_ffff_ffff_ffffn;

interface Meta {
  readonly pageSize: number;
  readonly roots: bigint[];
  readonly lastPage: number;
  readonly transaction: number;
}

/** Largest file that is checked page by page, in bytes; takes about 1.5 ms per MB. */
const deepLimit = 256 << 20;

/**
 * Returns the problem of the data file at `path`, or undefined when it can be opened.
 * @param deep checks every page in use (up to a file size of 256 MB) instead of the first two levels of the
 * trees
 */
export function inspectDataFile(path: string, deep = false): string | undefined {
  const file = openSync(path, 'r');
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const before = lastTransaction(file);
      const { size } = fstatSync(file);
      const problem = inspect(file, size, deep && size <= deepLimit);
      // Pages change while another process writes the file: that is not corruption.
      if (problem === undefined || lastTransaction(file) === before) return problem;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Number of the newest transaction in the data file at `path`, undefined when it has no valid headers. */
export function lastTransactionOf(path: string): number | undefined {
  const file = openSync(path, 'r');
  try {
    return lastTransaction(file);
  } finally {
    closeSync(file);
  }
}

function inspect(file: number, size: number, deep: boolean): string | undefined {
  if (size === 0) return 'is empty';
  const first = readMeta(file, 0);
  if (!first) return 'has no valid header';
  const second = readMeta(file, first.pageSize);
  if (!second || second.pageSize !== first.pageSize) return 'has a damaged second header';
  const meta = second.transaction > first.transaction ? second : first;
  const pages = Math.floor(size / meta.pageSize);
  // Pages at the end may be free and never written, so a short file is checked completely; otherwise the top
  // levels of its trees are enough.
  const complete = pages > meta.lastPage;
  const depth = complete && !deep ? 2 : Number.POSITIVE_INFINITY;
  const seen = new Set<number>();
  for (const root of meta.roots) {
    const wrong = walk(file, meta.pageSize, pages, root, depth, seen);
    if (wrong) return complete ? wrong : `is shorter than it was (${size} bytes): ${wrong}`;
  }
  return undefined;
}

function lastTransaction(file: number): number | undefined {
  const first = readMeta(file, 0);
  const second = first && readMeta(file, first.pageSize);
  return first && second && Math.max(first.transaction, second.transaction);
}

function readMeta(file: number, offset: number): Meta | undefined {
  const page = Buffer.alloc(176);
  if (readSync(file, page, 0, page.length, offset) !== page.length) return undefined;
  if (
    !(page.readUInt16LE(18) & pageFlags.meta) ||
    page.readUInt32LE(24) !== magic ||
    (page.readUInt32LE(28) & 0xffff) !== dataVersion
  )
    return undefined;
  const pageSize = page.readUInt32LE(48);
  if (pageSize < 256 || pageSize > 65536 || pageSize & (pageSize - 1)) return undefined;
  return {
    pageSize,
    roots: [page.readBigUInt64LE(88), page.readBigUInt64LE(136)].filter((root) => root !== noPage),
    lastPage: Number(page.readBigUInt64LE(144)),
    transaction: Number(page.readBigUInt64LE(152)),
  };
}

/**
 * Follows a tree from `root`, `depth` levels down and into the tables named in it. Returns the problem of the
 * first bad page.
 */
function walk(
  file: number,
  pageSize: number,
  pages: number,
  root: bigint,
  depth: number,
  seen: Set<number>,
): string | undefined {
  const pending: { page: bigint; depth: number }[] = [{ page: root, depth }];
  const page = Buffer.alloc(pageSize);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { page: number, depth } = next;
    if (number < 2n || number >= BigInt(pages)) return `page ${number} is past its end`;
    readSync(file, page, 0, pageSize, Number(number) * pageSize);
    const flags = page.readUInt16LE(18);
    const lower = page.readUInt16LE(20) + headerSize;
    const kinds = flags & (pageFlags.branch | pageFlags.leaf);
    const sound =
      page.readBigUInt64LE(0) === number &&
      (kinds === pageFlags.branch || kinds === pageFlags.leaf) &&
      lower <= pageSize;
    if (!sound || seen.has(Number(number))) return `page ${number} is damaged`;
    seen.add(Number(number));
    if (depth === 1) continue;
    for (const child of children(page, flags, lower)) {
      if (child === undefined) return `page ${number} is damaged`;
      if (!child.overflow) {
        if (child.page !== noPage) pending.push({ page: child.page, depth: depth - 1 });
      } else if (child.page + BigInt(Math.ceil((headerSize + child.length) / pageSize)) > BigInt(pages))
        return `page ${child.page} is past its end`;
    }
  }
  return undefined;
}

/** Target of a node of a page: a page, or a run of pages for a value of `length` bytes. */
interface Pointer {
  readonly page: bigint;
  readonly overflow: boolean;
  readonly length: number;
}

/** The pointers in a page; undefined for a node that doesn't fit in the page. */
function* children(page: Buffer, flags: number, lower: number): Generator<Pointer | undefined> {
  for (let pointer = headerSize; pointer + 2 <= lower; pointer += 2) {
    const node = page.readUInt16LE(pointer) + headerSize;
    if (node < lower || node + 8 > page.length) {
      yield undefined;
      return;
    }
    const length = page.readUInt32LE(node);
    const kind = page.readUInt16LE(node + 4);
    const data = node + 8 + page.readUInt16LE(node + 6);
    if (flags & pageFlags.branch)
      yield { page: BigInt(length) | (BigInt(kind) << 32n), overflow: false, length: 0 };
    else if (kind & nodeFlags.bigData)
      yield data + 8 <= page.length
        ? { page: page.readBigUInt64LE(data), overflow: true, length }
        : undefined;
    else if (kind & nodeFlags.subDatabase)
      yield data + 48 <= page.length
        ? { page: page.readBigUInt64LE(data + 40), overflow: false, length: 0 }
        : undefined;
    else if (data + length > page.length) yield undefined;
  }
}
