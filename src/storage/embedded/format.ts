import { DataDirectoryError } from '../../errors/data-directory-error.ts';
import { readNumber, writeNumber } from './encoding.ts';
import type { Environment } from './environment.ts';

/** How records of a data format become those of the next one. */
export interface Conversion {
  /**
   * Reads what has to change and returns the function that writes it, which must not read: a read in a
   * transaction does not see its writes.
   */
  readonly prepare: (environment: Environment) => () => void;
}

/** The data formats that a version reads. It writes the newest. */
export interface Formats {
  readonly oldest: number;
  readonly newest: number;
  /** By the format that is converted into the next one. Without one, both formats can be read alike. */
  readonly conversions: ReadonlyMap<number, Conversion>;
}

/**
 * Format 1 had no checksums: its records are read, and replaced as their keys are written. Versions that wrote
 * it cannot read records of format 2.
 */
export const FORMATS: Formats = { oldest: 1, newest: 2, conversions: new Map() };

/** Key of the format in the data file. Without it the marker of the directory counts. */
const formatKey = 'format';

const MARKER = /^Binnacle embedded storage, format ([1-9][0-9]{0,8})\n$/;

/** Text of the marker file of a directory. */
export const markerText = (format: number): string => `Binnacle embedded storage, format ${format}\n`;

/**
 * The format that a marker names.
 * @throws DataDirectoryError when it names none, or one that `formats` does not have
 */
export function formatOfMarker(directory: string, marker: string, text: string, formats: Formats): number {
  const [, number] = MARKER.exec(text) ?? [];
  if (number === undefined)
    throw new DataDirectoryError(
      `${marker} names no data format: restore a backup, or move ${directory} away to start empty`,
    );
  return checkFormat(directory, Number(number), formats);
}

/**
 * The format of the records of a data file. A conversion changes records and format in one transaction, the marker
 * afterwards: the file is right where they differ.
 * @param marked format of the marker
 * @throws DataDirectoryError when `formats` does not have it
 */
export function formatOfFile(
  directory: string,
  { meta }: Environment,
  marked: number,
  formats: Formats,
): number {
  return checkFormat(directory, meta.get(formatKey, readNumber) ?? marked, formats);
}

/** Within a commit: records the format of the data file. */
export const putFormat = ({ meta }: Environment, format: number): void =>
  meta.put(formatKey, writeNumber(format));

function checkFormat(directory: string, format: number, { oldest, newest }: Formats): number {
  if (format >= oldest && format <= newest) return format;
  const [writer, advice] =
    format > newest
      ? ['a newer version wrote', 'use that version, or restore a backup made before the upgrade']
      : ['an older version wrote', 'start the release before this one on it first, which converts it'];
  throw new DataDirectoryError(
    `${directory} has data format ${format}, which ${writer}, and this version reads ${oldest} to ${newest}: ${advice}`,
  );
}
