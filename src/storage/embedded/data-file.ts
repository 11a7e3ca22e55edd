import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * A look at the data file before lmdb maps it into memory: reading a mapped file that is truncated or isn't what it
 * claims to be ends the process with a signal, which nothing can catch.
 */

const magic = 0xbeefc0de;
const dataVersion = 2;
const headerSize = 24;
const pageFlags = { branch: 0x01, leaf: 0x02, meta: 0x08 };
const nodeFlags = { bigData: 0x01, subDatabase: 0x02 };
const noPage = 0xffff_ffff_ffff_ffffn;

interface Meta {
  readonly pageSize: number;
  readonly roots: bigint[];
  readonly lastPage: number;
  readonly transaction: bigint;
}

/** What is wrong with the data file at `path`, or undefined when it can be opened. */
export function inspectDataFile(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    return inspect(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function inspect(file: number, size: number): string | undefined {
  if (size === 0) return 'is empty';
  const first = readMeta(file, 0);
  if (!first) return 'does not begin as a data file does';
  const second = readMeta(file, first.pageSize);
  if (!second || second.pageSize !== first.pageSize) return 'has a damaged second header';
  const meta = second.transaction > first.transaction ? second : first;
  const pages = Math.floor(size / meta.pageSize);
  // Pages at the end may be free and never written, so a short file is looked through; else its roots are enough.
  const complete = pages > meta.lastPage;
  for (const root of meta.roots) {
    const wrong = walk(file, meta.pageSize, pages, root, complete ? 2 : Number.POSITIVE_INFINITY);
    if (wrong) return complete ? wrong : `is shorter than it was (${size} bytes): ${wrong}`;
  }
  return undefined;
}

function readMeta(file: number, offset: number): Meta | undefined {
  const page = Buffer.alloc(176);
  if (readSync(file, page, 0, page.length, offset) !== page.length) return undefined;
  if (!(page.readUInt16LE(18) & pageFlags.meta) || page.readUInt32LE(24) !== magic || (page.readUInt32LE(28) & 0xffff) !== dataVersion) return undefined;
  const pageSize = page.readUInt32LE(48);
  if (pageSize < 256 || pageSize > 65536 || pageSize & (pageSize - 1)) return undefined;
  return {
    pageSize,
    roots: [page.readBigUInt64LE(88), page.readBigUInt64LE(136)].filter((root) => root !== noPage),
    lastPage: Number(page.readBigUInt64LE(144)),
    transaction: page.readBigUInt64LE(152),
  };
}

/** Follows a tree from `root`, `depth` levels down and into the tables named in it; says what is wrong with the first bad page. */
function walk(file: number, pageSize: number, pages: number, root: bigint, depth: number): string | undefined {
  const pending: { page: bigint; depth: number }[] = [{ page: root, depth }];
  const page = Buffer.alloc(pageSize);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { page: number, depth } = next;
    if (number < 2n || number >= BigInt(pages)) return `page ${number} lies beyond its end`;
    readSync(file, page, 0, pageSize, Number(number) * pageSize);
    const flags = page.readUInt16LE(18);
    const lower = page.readUInt16LE(20) + headerSize;
    const sound = page.readBigUInt64LE(0) === number && Boolean(flags & pageFlags.branch) !== Boolean(flags & pageFlags.leaf);
    if (!sound || lower < headerSize || lower > pageSize) return `page ${number} is damaged`;
    if (depth === 1) continue;
    for (const child of children(page, flags, lower)) {
      if (child === undefined) return `page ${number} is damaged`;
      if (child.overflow ? child.page >= BigInt(pages) : false) return `page ${child.page} lies beyond its end`;
      if (!child.overflow && child.page !== noPage) pending.push({ page: child.page, depth: depth - 1 });
    }
  }
  return undefined;
}

/** Pages that the nodes of a page point to; undefined for a node that doesn't fit in the page. */
function* children(page: Buffer, flags: number, lower: number): Generator<{ page: bigint; overflow: boolean } | undefined> {
  for (let pointer = headerSize; pointer + 2 <= lower; pointer += 2) {
    const node = page.readUInt16LE(pointer) + headerSize;
    if (node + 8 > page.length) {
      yield undefined;
      return;
    }
    const low = BigInt(page.readUInt32LE(node));
    const kind = page.readUInt16LE(node + 4);
    const data = node + 8 + page.readUInt16LE(node + 6);
    if (flags & pageFlags.branch) yield { page: low | (BigInt(kind) << 32n), overflow: false };
    else if (kind & nodeFlags.bigData) yield data + 8 <= page.length ? { page: page.readBigUInt64LE(data), overflow: true } : undefined;
    else if (kind & nodeFlags.subDatabase) yield data + 48 <= page.length ? { page: page.readBigUInt64LE(data + 40), overflow: false } : undefined;
  }
}
