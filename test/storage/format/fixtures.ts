import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { temporaryDirectory } from '../temporary.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/formats/', import.meta.url));

/** Names of the recorded formats. */
export const FORMAT_NAMES: readonly string[] = readdirSync(FIXTURES);

/** Unpacks a recorded data directory or backup into a new directory. */
export function unpacked(format: string, copy: 'data-directory' | 'backup'): string {
  const source = join(FIXTURES, format, copy);
  const target = temporaryDirectory();
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const file = join(target, path.slice(source.length, -'.gz'.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, gunzipSync(readFileSync(path)), { mode: 0o600 });
  }
  return target;
}

/** What the server that wrote the format served, by path. */
export const servedBy = (format: string): Readonly<Record<string, readonly unknown[]>> =>
  JSON.parse(readFileSync(join(FIXTURES, format, 'served.json'), 'utf8')) as Record<string, unknown[]>;
