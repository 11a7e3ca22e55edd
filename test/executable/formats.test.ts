import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { elfProblems, machOProblems, peProblems } from './formats.ts';

const script = (name: string): string =>
  new URL(`../../scripts/executables/${name}.mjs`, import.meta.url).href;
const { withNote } = (await import(script('elf'))) as {
  withNote(file: Buffer, name: string, content: Buffer): Buffer;
};
const { withAdHocSignature } = (await import(script('mach-o'))) as {
  withAdHocSignature(file: Buffer, identifier: string): Buffer;
};
const { withoutSignature } = (await import(script('pe'))) as { withoutSignature(file: Buffer): Buffer };

describe('an executable of Linux', () => {
  const CODE = Buffer.from('bf2a000000b83c0000000f05', 'hex');
  const BASE = 0x400000n;

  /** Ends with status 42. It has memory behind its file, and a section that is not in memory. */
  function program(): Buffer {
    const names = Buffer.from('\0.text\0.comment\0.shstrtab\0');
    const codeAt = 64 + 2 * 56;
    const commentAt = codeAt + CODE.length;
    const namesAt = commentAt + 8;
    const sectionsAt = Math.ceil((namesAt + names.length) / 8) * 8;
    const file = Buffer.alloc(sectionsAt + 4 * 64);
    file.write('\x7fELF\x02\x01\x01', 'latin1');
    file.writeUInt16LE(2, 16);
    file.writeUInt16LE(62, 18);
    file.writeUInt32LE(1, 20);
    file.writeBigUInt64LE(BASE + BigInt(codeAt), 24);
    file.writeBigUInt64LE(64n, 32);
    file.writeBigUInt64LE(BigInt(sectionsAt), 40);
    for (const [index, value] of [64, 56, 2, 64, 4, 3].entries()) file.writeUInt16LE(value, 52 + 2 * index);
    const segment = (index: number, type: number, flags: number, fields: readonly bigint[]) => {
      file.writeUInt32LE(type, 64 + 56 * index);
      file.writeUInt32LE(flags, 68 + 56 * index);
      for (const [place, value] of fields.entries())
        file.writeBigUInt64LE(value, 72 + 56 * index + 8 * place);
    };
    segment(0, 6, 4, [64n, BASE + 64n, BASE + 64n, 112n, 112n, 8n]);
    segment(1, 1, 7, [0n, BASE, BASE, BigInt(commentAt), 0x15000n, 0x1000n]);
    CODE.copy(file, codeAt);
    names.copy(file, namesAt);
    const section = (
      index: number,
      name: number,
      type: number,
      flags: bigint,
      offset: number,
      size: number,
    ) => {
      const at = sectionsAt + 64 * index;
      file.writeUInt32LE(name, at);
      file.writeUInt32LE(type, at + 4);
      for (const [place, value] of [flags, 0n, BigInt(offset), BigInt(size)].entries())
        file.writeBigUInt64LE(value, at + 8 + 8 * place);
    };
    section(1, 1, 1, 6n, codeAt, CODE.length);
    section(2, 7, 1, 0n, commentAt, 8);
    section(3, 16, 3, 0n, namesAt, names.length);
    return file;
  }

  it('gets a note in a segment of its own, and still runs', () => {
    const content = Buffer.from('the program inside');
    const file = withNote(program(), 'NODE_SEA_BLOB', content);
    expect(elfProblems(file, { note: 'NODE_SEA_BLOB', content, machine: 62, page: 0x10000n })).toEqual([]);
    expect(file.includes('.comment')).toBe(false);
    if (process.platform !== 'linux' || process.arch !== 'x64') return;
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-elf-'));
    try {
      writeFileSync(join(directory, 'program'), file, { mode: 0o755 });
      expect(spawnSync(join(directory, 'program')).status).toBe(42);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('is refused when segments share a large page, or the note is missing', () => {
    const file = withNote(program(), 'OTHER', Buffer.alloc(3));
    const wanted = { note: 'NODE_SEA_BLOB', content: undefined, machine: 62, page: 0x10000n };
    expect(elfProblems(file, wanted)).toEqual(['the note NODE_SEA_BLOB is missing']);
    // The memory of the program grows into the page of the note.
    file.writeBigUInt64LE(0x20001n, Number(file.readBigUInt64LE(32)) + 56 + 40);
    expect(elfProblems(file, wanted)).toContain('segments share a page');
  });
});

describe('an executable of macOS', () => {
  /** Has segments for text and links, and room for a load command. */
  function program(): Buffer {
    const file = Buffer.alloc(0x9001, 7);
    file.fill(0, 0, 0x1000);
    for (const [index, value] of [0xfeedfacf, 0x0100000c, 0, 2, 2, 152 + 72].entries())
      file.writeUInt32LE(value, 4 * index);
    const segment = (at: number, size: number, name: string, offset: bigint, fileSize: bigint) => {
      file.writeUInt32LE(0x19, at);
      file.writeUInt32LE(size, at + 4);
      file.write(name, at + 8);
      for (const [index, value] of [offset + 0x100000000n, fileSize, offset, fileSize].entries())
        file.writeBigUInt64LE(value, at + 24 + 8 * index);
    };
    segment(32, 152, '__TEXT', 0n, 0x8000n);
    file.writeUInt32LE(0x4000, 32 + 72 + 48);
    segment(32 + 152, 72, '__LINKEDIT', 0x8000n, 0x1001n);
    return file;
  }

  it('is signed by the hashes of its pages', () => {
    expect(machOProblems(program())).toEqual(['the signature is missing']);
    const file = withAdHocSignature(program(), 'binnacle');
    expect(machOProblems(file)).toEqual([]);
    for (const [at, problem] of [
      [0x20, 'page 0 does not fit its hash'],
      [0x9000, 'page 9 does not fit its hash'],
    ] as const) {
      const changed = Buffer.from(file);
      changed[at]! ^= 1;
      expect(machOProblems(changed)).toContain(problem);
    }
    expect(() => withAdHocSignature(file, 'binnacle')).toThrow('the file is signed');
  });

  it('must end with its links and have room', () => {
    expect(() => withAdHocSignature(Buffer.concat([program(), Buffer.alloc(1)]), 'a')).toThrow('__LINKEDIT');
    const full = program();
    full.writeUInt32LE(32 + 152 + 72, 32 + 72 + 48);
    expect(() => withAdHocSignature(full, 'a')).toThrow('no room');
  });
});

describe('an executable of Windows', () => {
  function program(): Buffer {
    const file = Buffer.alloc(0x401, 0x5a);
    file.fill(0, 0, 0x200);
    file.write('MZ');
    file.writeUInt32LE(0x80, 0x3c);
    file.write('PE\0\0', 0x80);
    file.writeUInt16LE(0x8664, 0x84);
    file.writeUInt16LE(0x20b, 0x98);
    file.writeUInt32LE(16, 0x98 + 108);
    file.writeUInt32LE(0x300, 0x98 + 112 + 32);
    file.writeUInt32LE(0x100, 0x98 + 112 + 36);
    return file;
  }

  it('loses the reference to its signature and gets a checksum', () => {
    expect(peProblems(program())).toEqual(['there is a signature', 'the checksum is wrong']);
    const file = withoutSignature(program());
    expect(peProblems(file)).toEqual([]);
    file[0x400]! ^= 1;
    expect(peProblems(file)).toEqual(['the checksum is wrong']);
  });
});
