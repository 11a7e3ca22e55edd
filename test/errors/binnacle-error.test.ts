import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BinnacleError } from '../../src/errors/binnacle-error.ts';
import { ConfigurationError } from '../../src/errors/configuration-error.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'));
const matches = (pattern: RegExp): string[] =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map(([, found]) => found!));

/** Has the HTTP status, or the system's code, or is caught where it is thrown. */
const OTHERS = [
  'AmbiguousError',
  'ApiError',
  'ConnectionError',
  'HpackError',
  'KeyServiceError',
  'Mismatch',
  'OutboundError',
  'PoolChangedError',
  'SelectorError',
];

describe('error codes', () => {
  it('are on every error class that others can catch', () =>
    expect(matches(/^export class (\w+) extends Error\b/gm).sort()).toEqual(OTHERS));

  it('are distinct', () => {
    const codes = matches(/^ {2}readonly code = '(\w+)';/gm);
    expect(codes.length).toBe(matches(/^export class (\w+) extends BinnacleError\b/gm).length);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('exist where the documentation names them', () => {
    const documented = readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)`/gm);
    const codes = matches(/^ {2}readonly code = '(\w+)';/gm);
    for (const [, code] of documented) expect(codes).toContain(code);
  });

  it('tell errors apart', () => {
    const error: unknown = new ConfigurationError('x');
    expect(error).toBeInstanceOf(BinnacleError);
    expect(error).toMatchObject({ code: 'ERR_BINNACLE_CONFIGURATION', name: 'ConfigurationError' });
  });
});
