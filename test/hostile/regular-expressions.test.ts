import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';
import { simplePattern } from '../../src/schema/structural/simple-pattern.ts';
import { PatternSteps } from '../support/pattern-steps.ts';
import { suggestedTexts } from '../support/pattern-texts.ts';
import { constructedPatterns, findPatterns } from '../support/regular-expressions.ts';

/** Approximate length of the shortest text. */
const SHORT = 200;
const MOST_REPEATS = 60;
/** Limit of the ratio of steps at three times the repeats: 3 for linear, 9 for quadratic growth. */
const MOST_GROWTH = 4.5;
/** The same at twice the repeats: 2 and 4. Steps of bounded repeats stop growing there. */
const MOST_FURTHER_GROWTH = 3;
const SUFFIXES = ['', '\u0001', '\n'];

/** Texts on which steps grow superlinearly. */
function findings(pattern: RegExp): string[] {
  const steps = new PatternSteps(pattern);
  const { prefixes, pumps } = suggestedTexts(steps.tree);
  for (const pump of pumps)
    for (const prefix of prefixes)
      for (const suffix of SUFFIXES) {
        const repeats = Math.ceil(Math.min(MOST_REPEATS, SHORT / pump.length));
        const stepsAt = (times: number): number =>
          steps.count(prefix + pump.repeat(times * repeats) + suffix);
        const few = stepsAt(1);
        const many = stepsAt(3);
        if (many / few < MOST_GROWTH || stepsAt(6) / many < MOST_FURTHER_GROWTH) continue;
        return [
          `${JSON.stringify(prefix)} + ${JSON.stringify(pump)} × n + ${JSON.stringify(suffix)}: ${few} → ${many} steps`,
        ];
      }
  const { reports } = analyse(pattern, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.map(({ type, exponential }) => `${exponential ? 'exponential' : 'polynomial'} (${type})`);
}

/** Files that validate patterns of clients without executing them. */
const COMPILE_ONLY = new Map([
  ['src/options/validation/generic.ts', 1],
  ['src/kinds/apiextensions/pattern-error.ts', 1],
  // Runs patterns of a proven form only; the last test pumps some.
  ['src/schema/structural/simple-pattern.ts', 1],
]);

describe('regular expressions take linear time', () => {
  it.each([
    /\/+$/,
    /=+$/,
    /^([+-]?)(0*)([0-9]*)(?:(\.)([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)$/,
    /^(.+)\['(.*)'\]$/,
    /-----BEGIN A-----[\s\S]+?-----END A-----/g,
    /("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g,
    /^(a+)+$/,
    /\B(?=(\d{3})+$)/g,
  ])('rejects %s', (pattern) => expect(findings(pattern)).not.toEqual([]));

  const { literals, makers } = findPatterns('src');

  it('all literals in the source', () => {
    expect(literals.length).toBeGreaterThan(200);
    const known = new Map<string, string[]>();
    const found = literals.flatMap(({ place, pattern }) => {
      const key = String(pattern);
      if (!known.has(key)) known.set(key, findings(pattern));
      return known.get(key)!.map((fault) => `${place} ${key} ${fault}`);
    });
    expect(found).toEqual([]);
  });

  it('all that the source constructs from strings', async () => {
    expect(makers.size).toBeGreaterThan(COMPILE_ONLY.size);
    for (const [path, count] of makers) {
      if (COMPILE_ONLY.has(path)) {
        expect([path, count]).toEqual([path, COMPILE_ONLY.get(path)]);
        continue;
      }
      const constructed = await constructedPatterns(path);
      expect([path, constructed.length >= count]).toEqual([path, true]);
      for (const { pattern } of constructed)
        expect([path, String(pattern), findings(pattern)]).toEqual([path, String(pattern), []]);
    }
  });

  it.each([
    '^[a-z0-9]*$',
    '^[A-Za-z0-9][-A-Za-z0-9_.]{0,62}[A-Za-z0-9]$',
    '^v[0-9]+abc$',
    '^(a+)+$',
    '^a*a*$',
  ])('a native expression of a schema: %s', (text) => {
    const pattern = simplePattern(text);
    expect(pattern === undefined ? [] : findings(pattern)).toEqual([]);
  });
});
