import { createHash } from 'node:crypto';

/** What is expected in an executable of Linux. */
export interface ExpectedElf {
  readonly note: string;
  /** The content of the note, where it is known. */
  readonly content: Buffer | undefined;
  /** The number of its processor. */
  readonly machine: number;
  /** The size of the largest pages that its kernels may have. */
  readonly page: bigint;
}

/** What is wrong in an executable of Linux: by the program headers alone, as the kernel and Node.js read it. */
export function elfProblems(file: Buffer, { note, content, machine, page }: ExpectedElf): string[] {
  if (file.toString('latin1', 0, 7) !== '\x7fELF\x02\x01\x01') return ['it is no ELF file for 64 bits'];
  const problems = file.readUInt16LE(18) === machine ? [] : [`it is for machine ${file.readUInt16LE(18)}`];
  const tableAt = file.readBigUInt64LE(32);
  const headers = Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const at = Number(tableAt) + 56 * index;
    const [offset, address, , fileSize, memorySize] = Array.from({ length: 5 }, (__, place) =>
      file.readBigUInt64LE(at + 8 + 8 * place),
    ) as [bigint, bigint, bigint, bigint, bigint];
    return { type: file.readUInt32LE(at), offset, address, fileSize, memorySize };
  });
  if (headers.some(({ offset, fileSize }) => offset + fileSize > BigInt(file.length)))
    problems.push('a segment ends behind the file');
  const loaded = headers.filter(({ type }) => type === 1);
  if (loaded.some(({ offset, address }) => (address - offset) % page !== 0n))
    problems.push('a segment can not be mapped');
  const added = loaded.at(-1)!;
  const others = loaded.slice(0, -1).map(({ address, memorySize }) => address + memorySize);
  if (others.some((end) => end > added.address - (added.address % page)))
    problems.push('segments share a page');
  const { address, offset } = headers.find(({ type }) => type === 6)!;
  if (offset !== tableAt || tableAt - loaded[0]!.offset !== address - loaded[0]!.address)
    problems.push('old kernels do not find the program headers');
  const found = headers
    .filter(({ type }) => type === 4)
    .map((one) => file.subarray(Number(one.offset), Number(one.offset + one.fileSize)))
    .find((text) => text.toString('latin1', 12, 12 + note.length + 1) === `${note}\0`);
  if (found === undefined) return [...problems, `the note ${note} is missing`];
  const contentAt = 12 + Math.ceil((note.length + 1) / 4) * 4;
  const stored = found.subarray(contentAt, contentAt + found.readUInt32LE(4));
  if (stored.length === 0 || (content !== undefined && !stored.equals(content)))
    problems.push('the note has another content');
  return problems;
}

/** What is wrong in the signature of an executable of macOS: each page must fit its hash, as the kernel demands. */
export function machOProblems(file: Buffer): string[] {
  const [commands, linkEditEnd] = [new Map<number, number>(), { value: 0n }];
  let at = 32;
  for (let index = 0; index < file.readUInt32LE(16); index += 1) {
    commands.set(file.readUInt32LE(at), at);
    if (file.toString('latin1', at + 8, at + 18) === '__LINKEDIT')
      linkEditEnd.value = file.readBigUInt64LE(at + 40) + file.readBigUInt64LE(at + 48);
    at += file.readUInt32LE(at + 4);
  }
  const command = commands.get(0x1d);
  if (command === undefined) return ['the signature is missing'];
  const [start, size] = [file.readUInt32LE(command + 8), file.readUInt32LE(command + 12)];
  const problems = at === 32 + file.readUInt32LE(20) ? [] : ['the load commands have another size'];
  if (start + size !== file.length || linkEditEnd.value !== BigInt(file.length))
    problems.push('the signature is not at the end of __LINKEDIT');
  const directory = start + file.readUInt32BE(start + 16);
  const [magic, , , flags, hashesAt] = Array.from({ length: 5 }, (_, index) =>
    file.readUInt32BE(directory + 4 * index),
  ) as [number, number, number, number, number];
  if (file.readUInt32BE(start) !== 0xfade0cc0 || magic !== 0xfade0c02)
    return [...problems, 'the signature has no directory'];
  if ((flags & 2) === 0) problems.push('the signature is not ad hoc');
  const [pages, limit] = [file.readUInt32BE(directory + 28), file.readUInt32BE(directory + 32)];
  if (limit !== start || pages !== Math.ceil(limit / 4096)) problems.push('pages are not signed');
  for (let page = 0; page < pages; page += 1) {
    const content = file.subarray(page * 4096, Math.min((page + 1) * 4096, limit));
    const expected = file.subarray(directory + hashesAt + 32 * page, directory + hashesAt + 32 * (page + 1));
    if (!createHash('sha256').update(content).digest().equals(expected))
      problems.push(`page ${page} does not fit its hash`);
  }
  return problems;
}

/** What is wrong in an executable of Windows. */
export function peProblems(file: Buffer): string[] {
  const header = file.readUInt32LE(0x3c);
  if (file.toString('latin1', header, header + 4) !== 'PE\0\0' || file.readUInt16LE(header + 24) !== 0x20b)
    return ['it is no PE file for 64 bits'];
  const problems = file.readUInt16LE(header + 4) === 0x8664 ? [] : ['it is not for x64'];
  if (file.readUInt32LE(header + 24 + 112 + 32) !== 0) problems.push('there is a signature');
  let sum = 0;
  const padded = Buffer.concat([file, Buffer.alloc(1)]);
  for (let at = 0; at < file.length; at += 2)
    if (at < header + 88 || at >= header + 92) sum += padded.readUInt16LE(at);
  while (sum > 0xffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  if (sum + file.length !== file.readUInt32LE(header + 88)) problems.push('the checksum is wrong');
  return problems;
}

/** Content of a resource of Windows with this name, of type RCDATA; undefined when there is none. */
export function resource(file: Buffer, name: string): Buffer | undefined {
  const header = file.readUInt32LE(0x3c);
  const root = file.readUInt32LE(header + 24 + 112 + 16);
  const sections = Array.from({ length: file.readUInt16LE(header + 6) }, (_, index) => {
    const at = header + 24 + file.readUInt16LE(header + 20) + 40 * index;
    return {
      address: file.readUInt32LE(at + 12),
      size: file.readUInt32LE(at + 16),
      offset: file.readUInt32LE(at + 20),
    };
  });
  const offsetOf = (address: number): number => {
    const { address: start, offset } = sections.find(
      (one) => address >= one.address && address < one.address + one.size,
    )!;
    return address - start + offset;
  };
  const base = offsetOf(root);
  const entries = (at: number) =>
    Array.from({ length: file.readUInt16LE(at + 12) + file.readUInt16LE(at + 14) }, (_, index) => ({
      id: file.readUInt32LE(at + 16 + 8 * index),
      below: file.readUInt32LE(at + 20 + 8 * index) & 0x7fffffff,
    }));
  const nameOf = (id: number): string => {
    if (id < 0x80000000) return String(id);
    const at = base + (id & 0x7fffffff);
    return file.toString('utf16le', at + 2, at + 2 + 2 * file.readUInt16LE(at));
  };
  const type = entries(base).find(({ id }) => id === 10);
  const named = type && entries(base + type.below).find(({ id }) => nameOf(id) === name);
  const language = named && entries(base + named.below)[0];
  if (language === undefined) return undefined;
  const at = base + language.below;
  const start = offsetOf(file.readUInt32LE(at));
  return file.subarray(start, start + file.readUInt32LE(at + 4));
}
