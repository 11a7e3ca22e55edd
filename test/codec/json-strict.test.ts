import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/codec/json-parse.ts';
import { strictErrors } from '../../src/codec/json-strict.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import { messageType } from '../../src/model/scheme.ts';

function complaints(text: string): string[] {
  const bytes = Buffer.from(text);
  const { value, duplicates } = parseJson(bytes);
  return strictErrors(bytes, duplicates, fromPlain(messageType('core_v1.Pod'), value).unknown);
}

describe('strictErrors', () => {
  it('reports duplicates and unknown fields in document order', () => {
    expect(
      complaints(
        '{"metadata":{"labels":{"x":"1"},"labels":{"x":"2"}},"one":1,"spec":{"containers":[{"name":"c","two":1,"image":"i","image":"j"}]},"three":{"d":1,"d":2}}',
      ),
    ).toEqual([
      'duplicate field "metadata.labels"',
      'unknown field "one"',
      'unknown field "spec.containers[0].two"',
      'duplicate field "spec.containers[0].image"',
      'unknown field "three"',
    ]);
  });

  it('keeps the order of a single kind of errors', () => {
    expect(complaints('{"b":1,"a":2}')).toEqual(['unknown field "b"', 'unknown field "a"']);
    expect(complaints('{"metadata":{"name":"a","name":"b"}}')).toEqual(['duplicate field "metadata.name"']);
    expect(complaints('{}')).toEqual([]);
  });
});
