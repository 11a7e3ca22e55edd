import { Readable } from 'node:stream';

/** A file in an archive. */
export interface ArchivedFile {
  /** Path in the archive, of at most 100 ASCII characters. */
  readonly name: string;
  readonly size: number;
  /** Its content, of exactly `size` bytes. */
  readonly content: AsyncIterable<Uint8Array>;
}

const BLOCK = 512;

/**
 * A tar archive (POSIX ustar) of executables, which belong to nobody and have no time of change: equal files give
 * an equal archive.
 */
export function tarOf(files: Iterable<ArchivedFile> | AsyncIterable<ArchivedFile>): Readable {
  return Readable.from(blocksOf(files), { objectMode: false });
}

async function* blocksOf(
  files: Iterable<ArchivedFile> | AsyncIterable<ArchivedFile>,
): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of files) {
    yield header(name, size);
    yield* content;
    yield new Uint8Array(-size & (BLOCK - 1));
  }
  yield new Uint8Array(2 * BLOCK);
}

/** Fields of a header: offset, length of its text, text. Numbers are octal. */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => value.toString(8).padStart(length, '0');
  block.write(name, 0, 100, 'latin1');
  block.write(octal(0o755, 7), 100, 'latin1');
  block.write(octal(0, 7), 108, 'latin1');
  block.write(octal(0, 7), 116, 'latin1');
  block.write(octal(size, 11), 124, 'latin1');
  block.write(octal(0, 11), 136, 'latin1');
  // The checksum is computed as if it were spaces.
  block.write(' '.repeat(8), 148, 'latin1');
  block.write('0', 156, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0`, 148, 'latin1');
  return block;
}
