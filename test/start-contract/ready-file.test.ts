import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import { clearReadyFile, writeReadyFile } from '../../src/start-contract/ready-file.ts';
import { type ReadyLine, readyLineText } from '../../src/start-contract/ready-line.ts';

const LINE: ReadyLine = {
  binnacle: '0.1.0',
  url: 'https://127.0.0.1:1',
  ca: 'PEM',
  version: '1.32.13',
  pid: 1,
};

describe('the ready file', () => {
  let files: TemporaryDirectory;
  let file: string;
  beforeEach(() => {
    files = new TemporaryDirectory();
    file = files.path('ready.json');
  });
  afterEach(() => files.remove());

  it('has the line, for its owner only, and nothing is left beside it', () => {
    writeReadyFile(file, LINE);
    expect(readFileSync(file, 'utf8')).toBe(readyLineText(LINE));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(files.directory!)).toEqual(['ready.json']);
  });

  it('is removed by the server that wrote it, and not when another one has replaced it', () => {
    const remove = writeReadyFile(file, LINE);
    const removeSecond = writeReadyFile(file, { ...LINE, pid: 2 });
    remove();
    expect(existsSync(file)).toBe(true);
    removeSecond();
    expect(existsSync(file)).toBe(false);
    removeSecond();
  });

  it.each(['', readyLineText(LINE), '{"binnacle":"9.9'])('of an earlier server is removed: %j', (text) => {
    writeFileSync(file, text);
    clearReadyFile(file);
    expect(existsSync(file)).toBe(false);
    clearReadyFile(file);
  });

  it('is not a file of another program, a directory or a link', () => {
    const [other, directory, link] = ['other', 'directory', 'link'].map((name) => files.path(name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(other, 'mine');
    mkdirSync(directory);
    writeFileSync(file, readyLineText(LINE));
    symlinkSync(file, link);
    for (const path of [other, directory, link]) {
      expect(() => clearReadyFile(path)).toThrow(
        `${path} exists and is not a ready file: choose another file with --ready-file, or remove it`,
      );
      expect(existsSync(path)).toBe(true);
    }
  });

  it('that cannot be looked at is reported', () => {
    writeFileSync(file, '');
    expect(() => clearReadyFile(join(file, 'below'))).toThrow(`stat ${file}/below: not a directory`);
  });
});
