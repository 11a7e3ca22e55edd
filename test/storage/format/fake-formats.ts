import { readHead, readLogRecord, writeLogRecord } from '../../../src/storage/embedded/encoding.ts';
import type { Environment } from '../../../src/storage/embedded/environment.ts';
import { type Conversion, FORMATS, type Formats } from '../../../src/storage/embedded/format.ts';

/** A conversion that appends a letter to every value, so that a value tells how often it was converted. */
const appending = (letter: string): Conversion => ({
  prepare(environment) {
    const records = keysOf(environment).map((key) => appended(environment, key, letter));
    return () => {
      for (const { revision, record } of records) environment.log.put(revision, record);
    };
  },
});

const keysOf = ({ live }: Environment): string[] => live.keys('', undefined, Number.MAX_SAFE_INTEGER);

function appended({ live, log }: Environment, key: string, letter: string) {
  const { revision } = live.get(key, readHead)!;
  const { createRevision, previousRevision, value } = log.get(revision, (buffer, size) => {
    const read = readLogRecord(buffer, size);
    return { ...read, value: Buffer.concat([read.value, Buffer.from(letter)]) };
  })!;
  return {
    revision,
    record: writeLogRecord(revision, key, { createRevision, previousRevision, value }).record,
  };
}

const { newest } = FORMATS;

/** The formats of a later version: two more, each with a conversion. */
export const LATER_FORMATS: Formats = {
  oldest: FORMATS.oldest,
  newest: newest + 2,
  conversions: new Map([...FORMATS.conversions, [newest, appending('!')], [newest + 1, appending('?')]]),
};

/** A later version whose second conversion fails before it writes. */
export const FAILING_FORMATS: Formats = {
  ...LATER_FORMATS,
  conversions: new Map([
    ...LATER_FORMATS.conversions,
    [
      newest + 1,
      {
        prepare: () => {
          throw new Error('a value has an unknown form');
        },
      },
    ],
  ]),
};
