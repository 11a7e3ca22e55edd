import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogFile, type LogFileOptions } from '../../src/audit/log-file.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'audit-log-'));
  path = join(directory, 'logs', 'audit.log');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const START = Date.UTC(2026, 0, 10);
const open = (more: Partial<LogFileOptions> = {}) =>
  new LogFile({
    path,
    maximumBytes: 100,
    maximumAge: 0,
    maximumBackups: 0,
    compress: false,
    now: () => START,
    onPruneFailure: (error) => {
      throw error;
    },
    ...more,
  });
const files = () => readdirSync(join(directory, 'logs')).sort();
const line = (letter: string) => `${letter.repeat(39)}\n`;

describe('an audit log file', () => {
  it('has mode 0600 and is appended to in order', async () => {
    const log = open({ maximumBytes: 1 << 20 });
    const lines = Array.from({ length: 200 }, (_, index) => `${index}\n`);
    await Promise.all(lines.map((one) => log.append(one)));
    await log.close();
    const again = open({ maximumBytes: 1 << 20 });
    await again.append('last\n');
    await again.close();
    expect(readFileSync(path, 'utf8')).toBe(`${lines.join('')}last\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('rotates before it exceeds its size, without splitting lines', async () => {
    const log = open();
    await Promise.all([...'abcde'].map((letter) => log.append(line(letter))));
    await log.append(line('f'));
    await log.close();
    expect(files()).toEqual([
      'audit-2026-01-10T00-00-00.000.log',
      'audit-2026-01-10T00-00-00.001.log',
      'audit.log',
    ]);
    const text = files().map((name) => readFileSync(join(directory, 'logs', name), 'utf8'));
    expect(text).toEqual([line('a') + line('b'), line('c') + line('d'), line('e') + line('f')]);
  });

  it('prunes backups by number and age, and compresses them', async () => {
    mkdirSync(join(directory, 'logs'));
    writeFileSync(join(directory, 'logs', 'audit-2025-12-01T00-00-00.000.log'), 'old\n');
    writeFileSync(join(directory, 'logs', 'audit-notes.log'), 'mine\n');
    const log = open({ maximumBackups: 2, maximumAge: 20, compress: true });
    for (const letter of 'abcdefg') await log.append(line(letter));
    await log.close();
    expect(files()).toEqual([
      'audit-2026-01-10T00-00-00.001.log.gz',
      'audit-2026-01-10T00-00-00.002.log.gz',
      'audit-notes.log',
      'audit.log',
    ]);
    expect(gunzipSync(readFileSync(join(directory, 'logs', files()[1]!))).toString()).toBe(
      line('e') + line('f'),
    );
  });

  it('rejects lines on write errors and recovers', async () => {
    const log = open();
    rmSync(join(directory, 'logs'), { recursive: true });
    await expect(log.append(line('a'))).rejects.toThrow('ENOENT');
    mkdirSync(join(directory, 'logs'));
    await log.append(line('b'));
    await log.close();
    expect(readFileSync(path, 'utf8').trim()).toBe('b'.repeat(39));
  });

  it('rejects an unwritable directory', () => {
    mkdirSync(path, { recursive: true });
    expect(() => open()).toThrow('EISDIR');
  });
});
