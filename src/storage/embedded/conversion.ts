import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { completeMarker } from './data-directory.ts';
import type { Environment } from './environment.ts';
import { type Formats, formatOfFile, putFormat } from './format.ts';
import type { Owner } from './owner.ts';

/** Steps of a conversion; tests kill the process at each. */
export type ConversionStep = 'announced' | 'prepared' | 'committing' | 'committed' | 'marked';

export interface ConversionOptions {
  readonly environment: Environment;
  /** This process, as recorded in the file. */
  readonly owner: Owner;
  readonly directory: string;
  /** Format of the marker of the directory. */
  readonly marked: number;
  readonly formats: Formats;
  /** Called before anything is changed. */
  readonly announce: (from: number, to: number) => void;
  readonly onStep: (step: ConversionStep) => void;
}

/**
 * Converts a data directory of an older format into the newest, one format after the other. Each is one
 * transaction, which records the new format too; a crash at any point leaves a complete older or newer format,
 * and the next start goes on from there. The marker of the directory follows.
 * @throws DataDirectoryError when a conversion fails; then the directory has the format before it
 */
export async function convertDirectory(options: ConversionOptions): Promise<void> {
  const { environment, directory, marked, formats, announce, onStep } = options;
  const from = formatOfFile(directory, environment, marked, formats);
  if (from < formats.newest) {
    announce(from, formats.newest);
    onStep('announced');
    for (let format = from; format < formats.newest; format += 1) await convert(options, format);
  }
  completeMarker(directory, formats.newest);
  onStep('marked');
}

async function convert(options: ConversionOptions, from: number): Promise<void> {
  const { environment, owner, directory, formats, onStep } = options;
  const to = from + 1;
  try {
    const write = formats.conversions.get(from)?.prepare(environment);
    onStep('prepared');
    const commit = environment.commit(owner.epoch, () => {
      write?.();
      putFormat(environment, to);
    });
    onStep('committing');
    if (!(await commit)) throw new Error('another process has taken over the directory');
  } catch (error) {
    environment.claim(owner.epoch, { ...owner, released: true });
    throw new DataDirectoryError(
      `${directory} could not be converted to data format ${to} and still has format ${from} (${(error as Error).message}): use a version that reads format ${from}, or restore a backup`,
    );
  }
  onStep('committed');
}
