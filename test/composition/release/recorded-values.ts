import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedTarget } from '../../../src/storage/transfer/embedded-transfer.ts';
import { temporaryDirectory } from '../../storage/temporary.ts';

interface Answer {
  readonly method: string;
  readonly body?: unknown;
  readonly status: number;
  readonly object: Record<string, unknown>;
  /** Base64 of the value afterwards; `unchanged` if it is that of the writer. */
  readonly stored: string;
}

/** Values that a kube-apiserver of one minor wrote, and the answers of one of another minor on the same etcd. */
interface Recorded {
  readonly objects: readonly {
    readonly key: string;
    /** In a version that the reader serves; absent for a kind that it does not have. */
    readonly path?: string;
    /** Base64. */
    readonly value: string;
    readonly answers: readonly Answer[];
  }[];
}

/** 1.34.4 wrote, 1.32.13 read. */
export const RECORDED = JSON.parse(
  readFileSync(new URL('../../fixtures/neighbours/written-1.34-read-1.32.json', import.meta.url), 'utf8'),
) as Recorded;

/** Creates a data directory with the recorded values. It is removed after the test. */
export async function recordedDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  const target = await embeddedTarget(join(directory, 'store'));
  const entries = RECORDED.objects.map(({ key, value }, index) => ({
    key,
    value: Buffer.from(value, 'base64'),
    revision: index + 2,
    createRevision: index + 2,
    expires: 0,
  }));
  await target.write(entries.sort((left, right) => (left.key < right.key ? -1 : 1)));
  await target.finish(100, () => undefined);
  await target.close();
  return directory;
}
