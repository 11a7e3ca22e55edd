import { expect, test } from 'vitest';
import { checkStore } from '../../../src/storage/embedded/check-store.ts';
import { FORMATS, type Formats } from '../../../src/storage/embedded/format.ts';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import { LATER_FORMATS } from '../format/fake-formats.ts';
import { bytes, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';
import { exited, linesOf, startProgram } from './child.ts';

const KEYS = 3000;
const VALUE = 'x'.repeat(300);
const CONVERTED = `${VALUE}!?`;

/** A closed data directory of today's format. */
async function filled(): Promise<string> {
  const directory = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory });
  await storage.createBatch(
    Array.from({ length: KEYS }, (_, index) => ({ key: `/k${index}`, value: bytes(VALUE) })),
  );
  await storage.close();
  return directory;
}

/** The different values of a directory, and the conversions that opening it announced. */
async function opened(directory: string, formats: Formats) {
  const announced: string[] = [];
  const storage = await openEmbeddedStorage({
    directory,
    formats,
    onConversion: (from, to) => announced.push(`${from} to ${to}`),
  });
  try {
    const { entries } = await storage.range({ start: '/', end: '0' });
    expect(entries).toHaveLength(KEYS);
    expect(entries.filter(({ corruption }) => corruption !== undefined)).toEqual([]);
    return { values: [...new Set(entries.map(({ value }) => text(value)))], announced };
  } finally {
    await storage.close();
  }
}

async function convertAndKill(directory: string, step: string, count: number): Promise<string[]> {
  const child = startProgram('convert.ts', [directory, step, String(count)]);
  const closed = exited(child);
  const lines: string[] = [];
  for await (const line of linesOf(child)) lines.push(line);
  await closed;
  return lines;
}

const { newest } = FORMATS;
/** Steps of the two conversions, and the format that each leaves; none where it depends on timing. */
const KILLS: readonly (readonly [step: string, count: number, format: number | undefined])[] = [
  ['announced', 1, newest],
  ['prepared', 1, newest],
  ['committing', 1, newest],
  ['writing', 0, undefined],
  ['writing', 1, undefined],
  ['writing', 4, undefined],
  ['committed', 1, newest + 1],
  ['prepared', 2, newest + 1],
  ['committing', 2, newest + 1],
  ['committed', 2, newest + 2],
  ['marked', 1, newest + 2],
];

test.each(KILLS)('a conversion killed at %s (%i) leaves a complete format', async (step, count, format) => {
  const directory = await filled();
  expect(await convertAndKill(directory, step, count)).toEqual([`announced ${newest} ${newest + 2}`]);

  const today = await opened(directory, FORMATS).catch((error: Error) => error.message);
  const newer = /has data format (\d+), which a newer version wrote/;
  const left = typeof today === 'string' ? Number(newer.exec(today)?.[1]) : newest;
  if (typeof today !== 'string') expect(today).toEqual({ values: [VALUE], announced: [] });
  else await expect(checkStore(directory, () => undefined, expect.fail)).rejects.toThrow(newer);
  if (format === undefined) expect([newest, newest + 1, newest + 2]).toContain(left);
  else expect(left).toBe(format);

  const announced = left === newest + 2 ? [] : [`${left} to ${newest + 2}`];
  expect(await opened(directory, LATER_FORMATS)).toEqual({ values: [CONVERTED], announced });
  expect(await opened(directory, LATER_FORMATS)).toEqual({ values: [CONVERTED], announced: [] });
});
