// Executables of Windows (PE32+).

const CERTIFICATES = 4;
/** Offsets in the optional header of PE32+. */
const CHECKSUM = 64;
const DIRECTORIES = 112;
const DIRECTORY = 8;

/** Where the optional header begins. */
export const optionalHeader = (file) => file.readUInt32LE(0x3c) + 24;

/**
 * Leaves out the reference to a signature, which does not fit the file any more, and corrects the checksum. The bytes
 * of the signature must have gone.
 */
export function withoutSignature(file) {
  const result = Buffer.from(file);
  const header = optionalHeader(result);
  result.fill(
    0,
    header + DIRECTORIES + CERTIFICATES * DIRECTORY,
    header + DIRECTORIES + (CERTIFICATES + 1) * DIRECTORY,
  );
  result.writeUInt32LE(checksum(result), header + CHECKSUM);
  return result;
}

/** The checksum of the file: the sum of its 16-bit words with the carries added, and its length. */
export function checksum(file) {
  const field = optionalHeader(file) + CHECKSUM;
  let sum = 0;
  for (let at = 0; at < file.length; at += 2) {
    if (at === field || at === field + 2) continue;
    sum += at + 1 < file.length ? file.readUInt16LE(at) : file[at];
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  return sum + file.length;
}
