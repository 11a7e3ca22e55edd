import { afterEach, describe, expect, it } from 'vitest';
import { parseJson } from '../../src/codec/json-parse.ts';
import { parseYaml } from '../../src/codec/yaml.ts';
import { YamlThread, YamlThreadBusyError } from '../../src/codec/yaml-thread.ts';

const document = (lines: number): Buffer =>
  Buffer.from(
    `a:\n${Array.from({ length: lines }, (_, index) => `- {k${index}: on, 'x': 9223372036854775807}\n`).join('')}`,
  );

describe('YAML worker thread', { timeout: 60_000 }, () => {
  const thread = new YamlThread();
  afterEach(() => thread.stop());

  it('parses documents like the main thread, sequentially, and restarts after its end', async () => {
    for (const lines of [1, 300, 2]) {
      const bytes = document(lines);
      const { json, duplicates } = (await thread.read(bytes))!;
      expect(parseJson(json).value).toEqual(parseYaml(bytes).value);
      expect(duplicates).toEqual([]);
      expect(bytes.length).toBeGreaterThan(0);
      if (lines === 300) await thread.stop();
    }
    await thread.stop();
    expect(thread.running).toBe(false);
  });

  it('reports duplicates and errors with the same messages', async () => {
    const twice = Buffer.from('a: 1\nb: 2\na: 3\n');
    expect((await thread.read(twice))!.duplicates).toEqual(parseYaml(twice).duplicates);
    for (const text of ['a: [b\n', 'a: *x', 'metadata:\n\tname: j\n']) {
      const bytes = Buffer.from(text);
      let message = '';
      try {
        parseYaml(bytes);
      } catch (error) {
        message = (error as Error).message;
      }
      await expect(thread.read(bytes)).rejects.toThrow(message);
    }
  });

  it('refuses documents beyond its queue bound, and completes queued ones on stop', async () => {
    const results = Array.from({ length: 33 }, () => thread.read(document(1)));
    await thread.stop();
    await expect(results.pop()).rejects.toThrow(YamlThreadBusyError);
    expect(await Promise.all(results)).toHaveLength(32);
  });
});
