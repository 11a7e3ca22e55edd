// Executables of Linux (ELF for 64 bits, little-endian).

const PT_LOAD = 1;
const PT_NOTE = 4;
const PT_PHDR = 6;
const SHT_NOTE = 7;
const SHF_ALLOC = 2n;
const READABLE = 4;
/** Some kernels for arm64 have pages of this size. Segments that shared a page would overwrite each other. */
const LARGEST_PAGE = 0x10000n;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;
const NOTE_SECTION = '.note.node.sea';

const alignUp = (value, unit) => ((value + unit - 1n) / unit) * unit;
/** Math.max takes no such numbers. */
const largest = (values) => values.toSorted((one, other) => (one < other ? -1 : 1)).at(-1);

/** Program headers of a file. */
export function programHeaders(file) {
  const start = Number(file.readBigUInt64LE(32));
  return Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const at = start + index * PROGRAM_HEADER;
    return {
      type: file.readUInt32LE(at),
      flags: file.readUInt32LE(at + 4),
      offset: file.readBigUInt64LE(at + 8),
      address: file.readBigUInt64LE(at + 16),
      fileSize: file.readBigUInt64LE(at + 32),
      memorySize: file.readBigUInt64LE(at + 40),
      alignment: file.readBigUInt64LE(at + 48),
    };
  });
}

/** Section headers of a file, each with its name. */
export function sectionHeaders(file) {
  const start = Number(file.readBigUInt64LE(40));
  const headers = Array.from({ length: file.readUInt16LE(60) }, (_, index) => {
    const at = start + index * SECTION_HEADER;
    return {
      bytes: Buffer.from(file.subarray(at, at + SECTION_HEADER)),
      flags: file.readBigUInt64LE(at + 8),
      offset: file.readBigUInt64LE(at + 24),
      size: file.readBigUInt64LE(at + 32),
    };
  });
  const names = headers[file.readUInt16LE(62)];
  return headers.map((header) => {
    const at = Number(names.offset) + header.bytes.readUInt32LE(0);
    return { ...header, name: file.toString('latin1', at, file.indexOf(0, at)) };
  });
}

/**
 * Adds a note that is in memory when the program runs, and leaves out what is not: symbols and debug information.
 * The program headers move behind the data of the program, with the note. Old kernels find them only where the distance
 * between address and offset is that of the first segment, so that the file has the zeros of the memory in between.
 * @param file an executable that is linked for fixed addresses
 * @param name of the note
 * @param content of the note
 */
export function withNote(file, name, content) {
  const segments = programHeaders(file);
  const loaded = segments.filter(({ type }) => type === PT_LOAD);
  const base = loaded[0].address - loaded[0].offset;
  const end = largest(loaded.map(({ address, memorySize }) => address + memorySize));
  const address = alignUp(end, LARGEST_PAGE);
  const offset = address - base;
  const kept = largest(loaded.map((one) => one.offset + one.fileSize));

  const note = noteOf(name, content);
  const count = segments.length + 2;
  const tableSize = BigInt(count * PROGRAM_HEADER);
  const noteAt = alignUp(tableSize, 8n);
  const size = noteAt + BigInt(note.length);
  const place = { offset, address, fileSize: size, memorySize: size, flags: READABLE };
  const moved = segments.map((segment) =>
    segment.type === PT_PHDR ? { ...segment, ...place, fileSize: tableSize, memorySize: tableSize } : segment,
  );
  // Segments are in the order of their addresses.
  const last = moved.findLastIndex(({ type }) => type === PT_LOAD);
  moved.splice(last + 1, 0, { ...place, type: PT_LOAD, alignment: LARGEST_PAGE });
  const noteSegment = {
    type: PT_NOTE,
    flags: READABLE,
    offset: offset + noteAt,
    address: address + noteAt,
    fileSize: BigInt(note.length),
    memorySize: BigInt(note.length),
    alignment: 4n,
  };
  moved.push(noteSegment);

  const sections = sectionTable(sectionHeaders(file), noteSegment, offset + size);
  const result = Buffer.alloc(Number(offset + size) + sections.bytes.length);
  file.copy(result, 0, 0, Number(kept));
  for (const [index, segment] of moved.entries())
    writeProgramHeader(result, Number(offset) + index * PROGRAM_HEADER, segment);
  note.copy(result, Number(offset + noteAt));
  sections.bytes.copy(result, Number(offset + size));
  result.writeBigUInt64LE(offset, 32);
  result.writeUInt16LE(count, 56);
  result.writeBigUInt64LE(offset + size + BigInt(sections.headersAt), 40);
  result.writeUInt16LE(sections.count, 60);
  result.writeUInt16LE(sections.count - 1, 62);
  return result;
}

function noteOf(name, content) {
  const nameSize = Buffer.byteLength(name) + 1;
  const contentAt = 12 + Math.ceil(nameSize / 4) * 4;
  const note = Buffer.alloc(contentAt + Math.ceil(content.length / 4) * 4);
  note.writeUInt32LE(nameSize, 0);
  note.writeUInt32LE(content.length, 4);
  note.write(name, 12, 'latin1');
  content.copy(note, contentAt);
  return note;
}

function writeProgramHeader(file, at, { type, flags, offset, address, fileSize, memorySize, alignment }) {
  file.writeUInt32LE(type, at);
  file.writeUInt32LE(flags, at + 4);
  for (const [index, value] of [offset, address, address, fileSize, memorySize, alignment].entries())
    file.writeBigUInt64LE(value, at + 8 + 8 * index);
}

/** The names and headers of the sections that are in memory, to be written at `start`: for tools only. */
function sectionTable(sections, note, start) {
  const inMemory = sections.filter(({ flags }, index) => index === 0 || (flags & SHF_ALLOC) !== 0n);
  let names = '';
  const nameAt = (name) => {
    names += `${name}\0`;
    return names.length - name.length - 1;
  };
  const indexes = new Map(inMemory.map(({ name }, index) => [name, index]));
  const headers = inMemory.map(({ bytes, name }) => {
    const header = Buffer.from(bytes);
    header.writeUInt32LE(nameAt(name), 0);
    // The section that this one refers to has another place now.
    header.writeUInt32LE(indexes.get(sections[header.readUInt32LE(40)]?.name) ?? 0, 40);
    return header;
  });
  const own = ({ name, type, flags, address, offset, size }) => {
    const header = Buffer.alloc(SECTION_HEADER);
    header.writeUInt32LE(nameAt(name), 0);
    header.writeUInt32LE(type, 4);
    for (const [index, value] of [flags, address, offset, size].entries())
      header.writeBigUInt64LE(value, 8 + 8 * index);
    header.writeBigUInt64LE(4n, 48);
    headers.push(header);
    return header;
  };
  own({ ...note, name: NOTE_SECTION, type: SHT_NOTE, flags: SHF_ALLOC, size: note.fileSize });
  const namesHeader = own({ name: '.shstrtab', type: 3, flags: 0n, address: 0n, offset: start, size: 0n });
  namesHeader.writeBigUInt64LE(BigInt(names.length), 32);
  const text = Buffer.alloc(Math.ceil(names.length / 8) * 8);
  text.write(names, 'latin1');
  return { bytes: Buffer.concat([text, ...headers]), headersAt: text.length, count: headers.length };
}
