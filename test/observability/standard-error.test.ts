import { afterEach, expect, it, vi } from 'vitest';
import { writeStandardError } from '../../src/observability/standard-error.ts';

afterEach(() => vi.restoreAllMocks());

it('drops lines while the reader is far behind, and says how many', () => {
  const written: string[] = [];
  let waiting = 0;
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'writableLength', 'get').mockImplementation(() => waiting);
  writeStandardError('one\n');
  waiting = (1 << 20) + 1;
  writeStandardError('two\n');
  writeStandardError('three\n');
  waiting = 0;
  writeStandardError('four\n');
  writeStandardError('five\n');
  expect(written).toEqual([
    'one\n',
    '2 lines were dropped: the standard error was not read\nfour\n',
    'five\n',
  ]);
});
