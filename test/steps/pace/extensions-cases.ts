import fc from 'fast-check';
import { readingSwagger } from '../../../src/extensions/aggregation/swagger.ts';
import { paceCase } from './pace-case.ts';

const names = fc.constantFrom('A', 'B', 'C', 'D');
const schemas = fc.dictionary(names, fc.oneof(fc.constant({ type: 'object' }), names.map(reference)), {
  maxKeys: 4,
});
const paths = fc.dictionary(fc.constantFrom('/apis/g/v1', '/apis/g/v1/a', '/apis/g/v2', '/x'), schemas, {
  maxKeys: 4,
});

function reference(name: string): object {
  return { $ref: `#/definitions/${name}` };
}

export const EXTENSIONS_CASES = [
  paceCase(
    'extensions/aggregation/swagger.ts readingSwagger',
    fc.tuple(paths, schemas),
    ([all, definitions]) => readingSwagger({ swagger: '2.0', paths: all, definitions }, ['/apis/g/v1']),
  ),
];
