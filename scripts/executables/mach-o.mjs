// Executables of macOS (Mach-O for 64 bits, little-endian).
import { createHash } from 'node:crypto';

const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const HEADER = 32;
const SIGNATURE_COMMAND = 16;
const SEGMENT_PAGE = 0x4000n;

/** Constants of code signatures; all numbers in them are big-endian. */
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
/** The version of the directory that has the fields of the executable segment. */
const VERSION = 0x20400;
const DIRECTORY_HEADER = 88;
const AD_HOC = 0x2;
/** As linkers do; `codesign` replaces such a signature without being asked to. */
const LINKER_SIGNED = 0x20000;
const SHA256 = 2;
const HASH_SIZE = 32;
/** Size of the pages that are hashed, as a power of two. */
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
const MAIN_BINARY = 1n;

/** The load commands of a file: type, offset, size; and of a segment its name, offset and size in the file. */
export function loadCommands(file) {
  const commands = [];
  let at = HEADER;
  for (let index = 0; index < file.readUInt32LE(16); index += 1) {
    const [type, size] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
    const segment = type === LC_SEGMENT_64 && {
      name: file.toString('latin1', at + 8, at + 24).replace(/\0+$/, ''),
      fileOffset: file.readBigUInt64LE(at + 40),
      fileSize: file.readBigUInt64LE(at + 48),
    };
    commands.push({ type, at, size, ...segment });
    at += size;
  }
  return commands;
}

/** Where the first section begins, before which load commands have room. */
function firstSection(file, commands) {
  const text = commands.find(({ name }) => name === '__TEXT');
  return file.readUInt32LE(text.at + 72 + 48);
}

/**
 * Signs a file without an identity, which macOS requires on arm64: with hashes of its pages only.
 * @param file without a signature
 * @param identifier of the program
 */
export function withAdHocSignature(file, identifier) {
  const commands = loadCommands(file);
  if (commands.some(({ type }) => type === LC_CODE_SIGNATURE)) throw new Error('the file is signed');
  const linkEdit = commands.find(({ name }) => name === '__LINKEDIT');
  const text = commands.find(({ name }) => name === '__TEXT');
  const commandAt = HEADER + file.readUInt32LE(20);
  if (commandAt + SIGNATURE_COMMAND > firstSection(file, commands))
    throw new Error('the file has no room for another load command');
  if (linkEdit.fileOffset + linkEdit.fileSize !== BigInt(file.length))
    throw new Error('the file does not end with its segment __LINKEDIT');

  const signatureAt = Math.ceil(file.length / 16) * 16;
  const pages = Math.ceil(signatureAt / PAGE);
  const identifierAt = DIRECTORY_HEADER;
  const hashesAt = identifierAt + identifier.length + 1;
  const directorySize = hashesAt + pages * HASH_SIZE;
  const size = Math.ceil((20 + directorySize) / 16) * 16;

  const result = Buffer.alloc(signatureAt + size);
  file.copy(result);
  result.writeUInt32LE(file.readUInt32LE(16) + 1, 16);
  result.writeUInt32LE(file.readUInt32LE(20) + SIGNATURE_COMMAND, 20);
  for (const [index, value] of [LC_CODE_SIGNATURE, SIGNATURE_COMMAND, signatureAt, size].entries())
    result.writeUInt32LE(value, commandAt + 4 * index);
  const linkEditSize = BigInt(result.length) - linkEdit.fileOffset;
  result.writeBigUInt64LE(linkEditSize, linkEdit.at + 48);
  result.writeBigUInt64LE(
    ((linkEditSize + SEGMENT_PAGE - 1n) / SEGMENT_PAGE) * SEGMENT_PAGE,
    linkEdit.at + 32,
  );

  // The container, with one entry: the directory, in slot 0.
  const at = signatureAt + 20;
  for (const [index, value] of [SUPER_BLOB, 20 + directorySize, 1, 0, 20].entries())
    result.writeUInt32BE(value, signatureAt + 4 * index);
  const fields = [
    CODE_DIRECTORY,
    directorySize,
    VERSION,
    AD_HOC | LINKER_SIGNED,
    hashesAt,
    identifierAt,
    0,
    pages,
  ];
  for (const [index, value] of [...fields, signatureAt].entries())
    result.writeUInt32BE(value, at + 4 * index);
  result.set([HASH_SIZE, SHA256, 0, PAGE_BITS], at + 36);
  result.writeBigUInt64BE(text.fileOffset, at + 64);
  result.writeBigUInt64BE(text.fileSize, at + 72);
  result.writeBigUInt64BE(MAIN_BINARY, at + 80);
  result.write(identifier, at + identifierAt, 'latin1');
  for (let page = 0; page < pages; page += 1) {
    const content = result.subarray(page * PAGE, Math.min((page + 1) * PAGE, signatureAt));
    createHash('sha256')
      .update(content)
      .digest()
      .copy(result, at + hashesAt + page * HASH_SIZE);
  }
  return result;
}
