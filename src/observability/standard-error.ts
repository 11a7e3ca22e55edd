/** Bytes that wait for the reader of the standard error. */
const MOST_WAITING = 1 << 20;

let dropped = 0;

/**
 * Writes a line to the standard error. Lines are dropped while its reader is far behind, and counted in the next line
 * that is written: a parent that does not read a pipe must neither stop the server nor fill its memory.
 */
export function writeStandardError(line: string): void {
  if (process.stderr.writableLength > MOST_WAITING) {
    dropped += 1;
    return;
  }
  const note = dropped === 0 ? '' : `${dropped} lines were dropped: the standard error was not read\n`;
  dropped = 0;
  process.stderr.write(note + line);
}
