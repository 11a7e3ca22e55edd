import { yieldToEventLoop } from '../../time/event-loop.ts';
import { isIntact, readHead, readLogRecord } from './encoding.ts';
import type { Environment } from './environment.ts';

const sliceKeys = 500;

/** Finds the keys whose current record is corrupt. Checks all keys, in slices. */
export async function corruptKeys({ live, log }: Pick<Environment, 'live' | 'log'>): Promise<string[]> {
  const found: string[] = [];
  for (let start: string | undefined = ''; start !== undefined; ) {
    const keys = live.keys(start, undefined, sliceKeys);
    for (const key of keys) {
      const { corrupt, revision } = live.get(key, readHead)!;
      const intact = (buffer: Buffer, size: number) =>
        isIntact(buffer, size, revision) && readLogRecord(buffer, size).key === key;
      if (corrupt || !log.get(revision, intact)) found.push(key);
    }
    start = keys.length < sliceKeys ? undefined : `${keys.at(-1)!}\0`;
    await yieldToEventLoop();
  }
  return found;
}
