import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Check, type Finding, finding } from './finding.ts';

/** The embedded store refuses writes below this. */
const LEAST_BYTES = 64 << 20;
/** Below this it soon will. */
const AMPLE_BYTES = 512 << 20;
/** What a kubeconfig and a ready file need. */
const LEAST_TEMPORARY_BYTES = 1 << 20;

/** Free space for the data directory and the temporary folder. */
export const checkDisk: Check = ({ dataDirectory, temporaryDirectory, options }) => [
  ...(keepsData(options) ? [spaceFor(nearestExisting(resolve(dataDirectory)))] : []),
  temporary(temporaryDirectory),
];

export const keepsData = ({
  ephemeral,
  storageBackend,
  etcdServers = [],
}: Parameters<Check>[0]['options']): boolean =>
  !ephemeral && storageBackend !== 'memory' && storageBackend !== 'etcd3' && etcdServers.length === 0;

function spaceFor(directory: string): Finding {
  const free = freeBytes(directory);
  if (free === undefined) return finding('disk', 'note', `the free space of ${directory} is unknown`);
  const found = `${megabytes(free)} are free for ${directory}`;
  if (free < LEAST_BYTES)
    return finding(
      'disk',
      'problem',
      `${found}, and writes are refused below ${megabytes(LEAST_BYTES)}`,
      'free some space, or choose another disk with --data-dir',
    );
  return free < AMPLE_BYTES
    ? finding(
        'disk',
        'warning',
        `${found}; writes are refused below ${megabytes(LEAST_BYTES)}`,
        'free some space',
      )
    : finding('disk', 'ok', found);
}

function temporary(directory: string): Finding {
  const advice = 'set TMPDIR to another folder; --ephemeral needs it unless --kubeconfig-out is given';
  try {
    rmSync(mkdtempSync(join(directory, 'binnacle-doctor-')), { recursive: true });
  } catch (error) {
    return finding(
      'disk',
      'warning',
      `the temporary folder ${directory} cannot be used: ${(error as Error).message}`,
      advice,
    );
  }
  const free = freeBytes(directory);
  return free !== undefined && free < LEAST_TEMPORARY_BYTES
    ? finding('disk', 'warning', `the temporary folder ${directory} is full`, advice)
    : finding('disk', 'ok', `the temporary folder ${directory} can be written`);
}

/** The directory, or the nearest one above it that exists. */
function nearestExisting(directory: string): string {
  let path = directory;
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path);
  return path;
}

function freeBytes(directory: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / (1 << 20)).toLocaleString('en-US')} MiB`;
