import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { GoPlatform } from './platform.ts';
import { type ArchivedFile, tarOf } from './tar.ts';

/** The name that setup-envtest's documentation and tools give to an index. */
export const INDEX_FILE = 'envtest-releases.yaml';
/** The folder inside of an archive. */
const FOLDER = 'controller-tools/envtest';
/** Fast: executables are large, and their two copies are not found to be equal by a slower one either. */
const COMPRESSION_LEVEL = 1;

/** A written archive. */
export interface Archive {
  readonly name: string;
  /** SHA-512 in hexadecimal digits. */
  readonly hash: string;
}

/** The name by which setup-envtest knows the version and platform of an archive. */
export const archiveName = (version: string, { os, arch }: GoPlatform): string =>
  `envtest-v${version}-${os}-${arch}.tar.gz`;

/** Writes an archive of all files in `programs` into `directory`. @throws the system error */
export async function writeArchive(directory: string, name: string, programs: string): Promise<Archive> {
  const hash = createHash('sha512');
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    tarOf(filesIn(programs)),
    createGzip({ level: COMPRESSION_LEVEL }),
    hashing,
    createWriteStream(join(directory, name)),
  );
  return { name, hash: hash.digest('hex') };
}

const filesIn = (directory: string): ArchivedFile[] =>
  readdirSync(directory)
    .sort()
    .map((name) => {
      const file = join(directory, name);
      return { name: `${FOLDER}/${name}`, size: statSync(file).size, content: createReadStream(file) };
    });

/**
 * Writes the index that `setup-envtest use --index` reads.
 * @param url at which `directory` is served; the links of the index must be absolute
 * @param archives by version, for example `1.32.13`
 */
export function writeIndex(
  directory: string,
  url: URL,
  archives: ReadonlyMap<string, readonly Archive[]>,
): void {
  const base = url.href.endsWith('/') ? url.href : `${url.href}/`;
  const lines = [...archives].flatMap(([version, files]) => [
    `  v${version}:`,
    ...files.flatMap(({ name, hash }) => [
      `    ${name}:`,
      `      hash: ${hash}`,
      `      selfLink: ${new URL(name, base).href}`,
    ]),
  ]);
  writeFileSync(join(directory, INDEX_FILE), `releases:\n${lines.join('\n')}\n`);
}
