import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const DAY = 24 * 60 * 60 * 1000;
const COMPRESSED = '.gz';

/**
 * The name of a rotated file: with a timestamp before the extension, as kube-apiserver names backups.
 */
export function backupName(path: string, time: number): string {
  const extension = extname(path);
  const stamp = new Date(time).toISOString().slice(0, 23).replaceAll(':', '-');
  return join(dirname(path), `${basename(path, extension)}-${stamp}${extension}`);
}

/** The rotation time in the name of a backup; undefined for other files. */
function backupTime(path: string, name: string): number | undefined {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}-`;
  const plain = name.endsWith(COMPRESSED) ? name.slice(0, -COMPRESSED.length) : name;
  if (!plain.startsWith(prefix) || !plain.endsWith(extension)) return undefined;
  const stamp = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(
    plain.slice(prefix.length, plain.length - extension.length),
  );
  const time = stamp === null ? Number.NaN : Date.parse(`${stamp[1]}${stamp[2]}:${stamp[3]}:${stamp[4]}Z`);
  return Number.isNaN(time) ? undefined : time;
}

export interface BackupOptions {
  readonly path: string;
  readonly maximumAge: number;
  readonly maximumBackups: number;
  readonly compress: boolean;
  readonly now: () => number;
}

/** Removes surplus and expired backups and compresses the others if configured. */
export async function pruneBackups({
  path,
  maximumAge,
  maximumBackups,
  compress,
  now,
}: BackupOptions): Promise<void> {
  const directory = dirname(path);
  const backups = (await readdir(directory))
    .map((name) => ({ name, time: backupTime(path, name) }))
    .filter((one): one is { name: string; time: number } => one.time !== undefined)
    .sort((left, right) => right.time - left.time);
  const oldest = maximumAge > 0 ? now() - maximumAge * DAY : Number.NEGATIVE_INFINITY;
  for (const [index, { name, time }] of backups.entries()) {
    const file = join(directory, name);
    if ((maximumBackups > 0 && index >= maximumBackups) || time < oldest) await rm(file, { force: true });
    else if (compress && !name.endsWith(COMPRESSED)) await compressFile(file);
  }
}

/** Compresses a file; after a crash either the original or the compressed file is complete. */
async function compressFile(file: string): Promise<void> {
  const temporary = `${file}${COMPRESSED}.tmp`;
  await pipeline(createReadStream(file), createGzip(), createWriteStream(temporary, { mode: 0o600 }));
  await rename(temporary, `${file}${COMPRESSED}`);
  await rm(file, { force: true });
}
