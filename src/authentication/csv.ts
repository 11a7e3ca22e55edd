import { BinnacleError } from '../errors/binnacle-error.ts';

/** A syntax error in a CSV file; lines and columns count from 1. */
export class CsvError extends BinnacleError {
  override name = 'CsvError';
  readonly code = 'ERR_BINNACLE_CSV';
}

/**
 * Parses CSV: fields may be quoted, doubled quotes are escapes, quoted fields may span lines, blank lines are
 * skipped, and records may differ in length.
 * @throws CsvError with line and column of the first error
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (let number = 0; number < lines.length; number++) {
    let line = stripReturn(lines[number]!);
    if (line === '') continue;
    const record: string[] = [];
    let column = 0;
    for (;;) {
      if (line[column] !== '"') {
        const comma = line.indexOf(',', column);
        const field = comma === -1 ? line.slice(column) : line.slice(column, comma);
        const quote = field.indexOf('"');
        if (quote !== -1) throw syntaxError(number, column + quote, 'bare " in non-quoted field');
        record.push(field);
        if (comma === -1) break;
        column = comma + 1;
        continue;
      }
      let field = '';
      column += 1;
      for (;;) {
        const quote = line.indexOf('"', column);
        if (quote === -1) {
          if (number + 1 >= lines.length)
            throw syntaxError(number, line.length, 'extraneous or missing " in quoted-field');
          field += `${line.slice(column)}\n`;
          number += 1;
          line = stripReturn(lines[number]!);
          column = 0;
          continue;
        }
        field += line.slice(column, quote);
        column = quote + 1;
        if (line[column] !== '"') break;
        field += '"';
        column += 1;
      }
      record.push(field);
      if (column === line.length) break;
      if (line[column] !== ',')
        throw syntaxError(number, column - 1, 'extraneous or missing " in quoted-field');
      column += 1;
    }
    records.push(record);
  }
  return records;
}

const stripReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
const syntaxError = (line: number, column: number, text: string): CsvError =>
  new CsvError(`parse error on line ${line + 1}, column ${column + 1}: ${text}`);
