import { isIntact, readHead, readLogRecord } from './encoding.ts';
import type { Environment } from './environment.ts';
import { textSlicesOf } from './slices.ts';

/** Finds the keys whose current record is corrupt. Checks all keys, in slices. */
export async function corruptKeys({ live, log }: Pick<Environment, 'live' | 'log'>): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of textSlicesOf(live))
    for (const key of keys) {
      const { corrupt, revision } = live.get(key, readHead)!;
      const intact = (buffer: Buffer, size: number) =>
        isIntact(buffer, size, revision) && readLogRecord(buffer, size).key === key;
      if (corrupt || !log.get(revision, intact)) found.push(key);
    }
  return found;
}
