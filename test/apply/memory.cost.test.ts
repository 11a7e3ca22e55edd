import { expect, test } from 'vitest';
import { FieldSetBuilder } from '../../src/apply/field-set-builder.ts';
import type { PathElement } from '../../src/apply/path-element.ts';
import { runNow } from '../../src/steps/run.ts';
import { collect } from '../support/retained.ts';

const ITEMS = 20_000;
/** Bytes per item: an entry in the map of the list, whose capacity may be twice its size. */
const MOST_BYTES = 100;

const MEMBERS = ['f:name', 'f:image', 'f:resources'];

test('a list of items with equal members takes little memory while its fields are collected', () => {
  const items: PathElement[] = Array.from({ length: ITEMS }, (_, index) => `k:{"name":"${index}"}`);
  const builder = new FieldSetBuilder();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (const item of items) {
    for (const member of MEMBERS) builder.add(['f:spec', 'f:containers', item, member]);
    builder.add(['f:spec', 'f:containers', item]);
  }
  collect();
  expect((process.memoryUsage().heapUsed - before) / ITEMS).toBeLessThan(MOST_BYTES);
  expect(runNow(builder.build()).size).toBe(ITEMS * (MEMBERS.length + 1));
});
