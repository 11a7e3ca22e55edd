import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/codec/json-parse.ts';
import { strictErrors as strictErrorsInSteps } from '../../src/codec/json-strict.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import { atOnce } from '../support/at-once.ts';
import { messageType } from '../support/types.ts';

const strictErrors = atOnce(strictErrorsInSteps);

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

  it('pauses in long documents', () => {
    const members = Array.from({ length: 50_000 }, (_, index) => `"u${index}":1`).join();
    const steps = strictErrorsInSteps(Buffer.from(`{"a":1,"a":2,${members}}`), ['a'], ['u1']);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(pauses).toBeGreaterThan(5);
    expect(step.value).toEqual(['duplicate field "a"', 'unknown field "u1"']);
  });

  it('bounds the text of paths in deep documents, and reports all unknown fields', () => {
    const depth = 9000;
    const body = `{"x":${'{"a":1,"a":'.repeat(depth)}1${'}'.repeat(depth)},"b":{"a":1}}`;
    const { duplicates } = parseJson(Buffer.from(body));
    expect(duplicates.join('').length).toBeLessThan(1.1 * 1024 * 1024);
    expect(duplicates.at(0)).toBe('x.a');
    // None of the members below x is unknown, so that each is compared.
    expect(strictErrors(Buffer.from(body), duplicates.slice(0, 3), ['b.a'])).toContain('unknown field "b.a"');
  });
});
