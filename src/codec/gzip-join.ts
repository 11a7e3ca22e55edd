/** x^0 as a polynomial over GF(2) in the reflected form of CRC-32, and its polynomial without x^32. */
const ONE = 0x80000000;
const POLYNOMIAL = 0xedb88320;

/** The product of two polynomials modulo that of CRC-32. */
function multiply(first: number, second: number): number {
  let product = 0;
  let shifted = second;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((first & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}

/** x^(2^index), which squaring repeats after 32. */
const POWERS = [0x40000000];
for (let index = 1; index < 32; index += 1) POWERS.push(multiply(POWERS[index - 1]!, POWERS[index - 1]!));

/** x^(8 * bytes): what appending so many bytes multiplies a checksum by. */
function shiftOf(bytes: number): number {
  let shift = ONE;
  for (let rest = bytes, index = 3; rest > 0; rest = Math.floor(rest / 2), index += 1)
    if (rest % 2 === 1) shift = multiply(POWERS[index % 32]!, shift);
  return shift;
}

/** The CRC-32 of two byte strings one after the other. @param length bytes of the second one */
export const joinedCrc = (first: number, second: number, length: number): number =>
  (multiply(shiftOf(length), first) ^ second) >>> 0;

/** Compressed bytes of a part of a body, which end at a byte and refer to nothing before the part. */
export interface DeflatedPart {
  readonly deflated: Uint8Array;
  /** CRC-32 and length of the part before compression. */
  readonly crc: number;
  readonly bytes: number;
}

/** Magic number, deflate, no flags, no time, the fastest compression, Unix (RFC 1952, section 2.3). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3]);
/** A last block without content, with fixed codes (RFC 1951, section 3.2.6). */
const LAST_BLOCK = Buffer.from([3, 0]);
/** Bytes that a block without compression may have. */
const STORED_BYTES = 0xffff;

/** Joins a gzip body (RFC 1952) of parts that were compressed by themselves. */
export class GzipJoin {
  readonly head: Uint8Array = HEAD;
  #crc = 0;
  #bytes = 0;

  /** Appends a part. @returns its compressed bytes */
  add({ deflated, crc, bytes }: DeflatedPart): Uint8Array {
    this.#crc = joinedCrc(this.#crc, crc, bytes);
    this.#bytes += bytes;
    return deflated;
  }

  /** What follows the parts. */
  end(): Buffer {
    const trailer = Buffer.allocUnsafe(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#bytes % 2 ** 32, 4);
    return Buffer.concat([LAST_BLOCK, trailer]);
  }
}

/** A few bytes as blocks without compression. @param crc their CRC-32 */
export function storedPart(bytes: Uint8Array, crc: number): DeflatedPart {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += STORED_BYTES) {
    const length = Math.min(STORED_BYTES, bytes.length - at);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(length, 1);
    head.writeUInt16LE(length ^ 0xffff, 3);
    blocks.push(head, bytes.subarray(at, at + length));
  }
  return { deflated: Buffer.concat(blocks), crc, bytes: bytes.length };
}
