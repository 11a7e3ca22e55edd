import { isUtf8 } from 'node:buffer';
import { isBlank, isBreak, isSpace, type YamlReader } from './yaml-reader.ts';

const letters = /[0-9A-Za-z_-]*/y;
const uri = /[0-9A-Za-z_\-;/?:@&=+$,.!~*'()[\]%]*/y;

/** Reads a `%YAML` directive, whose value is its version, or a `%TAG` directive, with a handle. @throws DecodeError */
export function readDirective(reader: YamlReader): { handle?: string; value: string } {
  reader.at++;
  const name = reader.take(letters);
  if (name === '') throw reader.error('could not find expected directive name');
  if (!isSpace(reader.code())) throw reader.error('found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') throw reader.error('found unknown directive name');
  reader.skipBlanks();
  const directive = name === 'YAML' ? { value: readVersion(reader) } : readTagDirective(reader);
  reader.skipBlanks();
  if (reader.code() === 0x23) reader.skipToLineEnd();
  if (reader.code() !== 0 && !isBreak(reader.code()))
    throw reader.error('did not find expected comment or line break');
  if (reader.code() !== 0) reader.skipBreak();
  return directive;
}

function readVersion(reader: YamlReader): string {
  const major = readNumber(reader);
  if (reader.code() !== 0x2e) throw reader.error("did not find expected digit or '.' character");
  reader.at++;
  return `${major}.${readNumber(reader)}`;
}

function readNumber(reader: YamlReader): number {
  const digits = reader.take(/[0-9]{0,3}/y);
  if (digits.length > 2) throw reader.error('found extremely long version number');
  if (digits === '') throw reader.error('did not find expected version number');
  return Number(digits);
}

function readTagDirective(reader: YamlReader): { handle: string; value: string } {
  const handle = readHandle(reader);
  if (handle !== '!' && !handle.endsWith('!')) throw reader.error("did not find expected '!'");
  if (!isBlank(reader.code())) throw reader.error('did not find expected whitespace');
  reader.skipBlanks();
  const value = readUri(reader, '');
  if (!isSpace(reader.code())) throw reader.error('did not find expected whitespace or line break');
  return { handle, value };
}

/** Reads a tag: its handle is empty for `!<…>` and `!`. @throws DecodeError */
export function readTag(reader: YamlReader): { handle: string; suffix: string } {
  const tag = reader.code(1) === 0x3c ? readVerbatim(reader) : readShorthand(reader);
  if (!isSpace(reader.code())) throw reader.error('did not find expected whitespace or line break');
  return tag;
}

function readVerbatim(reader: YamlReader): { handle: string; suffix: string } {
  reader.at += 2;
  const suffix = readUri(reader, '');
  if (reader.code() !== 0x3e) throw reader.error("did not find the expected '>'");
  reader.at++;
  return { handle: '', suffix };
}

function readShorthand(reader: YamlReader): { handle: string; suffix: string } {
  const handle = readHandle(reader);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: readUri(reader, '') };
  const suffix = readUri(reader, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function readHandle(reader: YamlReader): string {
  if (reader.code() !== 0x21) throw reader.error("did not find expected '!'");
  reader.at++;
  let handle = `!${reader.take(letters)}`;
  if (reader.code() === 0x21) {
    handle += '!';
    reader.at++;
  }
  return handle;
}

/** @param head the part that was read as a handle */
function readUri(reader: YamlReader, head: string): string {
  const text = reader.take(uri);
  if (text === '' && head === '') throw reader.error('did not find expected tag URI');
  const escaped = head.slice(1) + text;
  if (!escaped.includes('%')) return escaped;
  if (/%(?![0-9a-fA-F]{2})/.test(escaped)) throw reader.error('did not find URI escaped octet');
  const bytes = Buffer.from(
    escaped.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
  if (!isUtf8(bytes)) throw reader.error('found an incorrect leading UTF-8 octet');
  return bytes.toString('utf8');
}
