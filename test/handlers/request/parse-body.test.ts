import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/codec/json-parse.ts';
import { writeYaml } from '../../../src/codec/yaml.ts';
import { parsePlain } from '../../../src/handlers/request/parse-body.ts';
import { loopTurns } from '../../support/loop-turns.ts';

const members = (count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`k${index}`, { a: [index, '<é>', null, 1.5] }]),
  );

describe('parsePlain gives the same result for every size', () => {
  it.each([1, 2000, 8_000])('%i members', async (count) => {
    const value = { z: members(count), a: 1 };
    const json = Buffer.from(JSON.stringify(value));
    for (const [encoding, body] of [
      ['json', json],
      ['yaml', json],
      ['yaml', Buffer.from(writeYaml(value))],
    ] as const) {
      const request = { workingSetBytes: 0, turns: loopTurns() };
      const parsed = await parsePlain(request, encoding, body);
      expect(parsed.duplicates).toEqual([]);
      expect(parsed.value).toEqual(value);
      expect(Object.keys(parsed.value as object)).toEqual(encoding === 'yaml' ? ['a', 'z'] : ['z', 'a']);
      // Many small parts take as long as many bytes.
      if (count === 8_000) expect(request.workingSetBytes).toBeGreaterThan(256 * 1024);
    }
  });

  it('reports the same errors and duplicates in steps as at once', async () => {
    const parts = Array.from({ length: 10_000 }, (_, index) => `"k${index}":1`).join(',');
    const twice = Buffer.from(`{${parts},"k7":2}`);
    expect((await parsePlain({ workingSetBytes: 0, turns: loopTurns() }, 'json', twice)).duplicates).toEqual(
      parseJson(twice).duplicates,
    );
    await expect(
      parsePlain({ workingSetBytes: 0, turns: loopTurns() }, 'json', Buffer.from(`{${parts},}`)),
    ).rejects.toThrow("invalid character '}' looking for beginning of object key string");
  });
});
