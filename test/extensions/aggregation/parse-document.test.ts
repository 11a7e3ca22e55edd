import { expect, it } from 'vitest';
import { parseDocument } from '../../../src/extensions/aggregation/parse-document.ts';

const document = (count: number) => ({
  definitions: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `Kind${index}`,
      { type: 'object', description: 'x'.repeat(60) },
    ]),
  ),
});

it.each([10, 20_000])('parses a document with %i definitions', async (count) => {
  expect(await parseDocument(Buffer.from(JSON.stringify(document(count))))).toEqual(document(count));
});

it('makes doubles of large integers, as they are encoded again', async () => {
  const large = JSON.stringify(document(20_000)).replace('{', '{"maximum":9223372036854775807,');
  expect(await parseDocument(Buffer.from(large))).toMatchObject({ maximum: 2 ** 63 });
});

it('yields to the event loop while it parses a large document', async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  await parseDocument(Buffer.from(JSON.stringify(document(60_000))));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(3);
});

it('refuses what is no JSON', async () => {
  await expect(parseDocument(Buffer.from('{'))).rejects.toThrow();
  await expect(parseDocument(Buffer.from(`["${'x'.repeat(2 ** 20)}"`))).rejects.toThrow();
});
