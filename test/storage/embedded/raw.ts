import { join } from 'node:path';
import { type Environment, openEnvironment } from '../../../src/storage/embedded/environment.ts';

/** Changes the data file of a closed store, bypassing all checks. */
export async function changeRaw(
  directory: string,
  change: (environment: Environment) => void,
): Promise<void> {
  const environment = await openEnvironment(join(directory, 'data.mdb'));
  try {
    const { epoch } = environment.owner()!;
    if (!(await environment.commit(epoch, () => change(environment)))) throw new Error('nothing was written');
  } finally {
    await environment.close();
  }
}

/** Returns a copy of the bytes of a key. */
export function rawBytes(table: Environment['live'], key: string): Buffer;
export function rawBytes(table: Environment['log'], key: number): Buffer;
export function rawBytes(table: Environment['live'] | Environment['log'], key: string | number): Buffer {
  const found = (table as Environment['log']).get(key as number, (buffer, size) =>
    Buffer.from(buffer.subarray(0, size)),
  );
  if (!found) throw new Error(`no value of ${key}`);
  return found;
}
