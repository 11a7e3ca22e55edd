import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Continues after an element that ended at a position. */
type Next = (at: number) => boolean;
type Matcher = (at: number, next: Next) => boolean;

const MOST_STEPS = 2_000_000;
/** Characters inspected after a position. */
const MOST_BEHIND = 4;
class TooManySteps extends Error {}

/**
 * Counts the steps of a backtracking engine: compared characters and tried repeats, from each position of the
 * text. Unlike time, the count depends only on the pattern and the text.
 */
export class PatternSteps {
  readonly tree: AST.RegExpLiteral;
  readonly #matcher: Matcher;
  readonly #groups = new Map<AST.CapturingGroup, string>();
  #text = '';
  #steps = 0;

  constructor(pattern: RegExp) {
    this.tree = new RegExpParser().parseLiteral(String(pattern));
    this.#matcher = this.#alternatives(this.tree.pattern.alternatives);
  }

  /** @returns steps of searching the text for the pattern; Infinity when there are millions */
  count(text: string): number {
    this.#text = text;
    this.#steps = 0;
    const { sticky, global } = this.tree.flags;
    try {
      for (let at = 0; at <= text.length; at++) {
        let end = at;
        const found = this.#matcher(at, (place) => {
          end = place;
          return true;
        });
        if (found && !global) break;
        if (found) at = Math.max(end - 1, at);
        else if (sticky) break;
      }
    } catch (error) {
      if (error instanceof TooManySteps) return Number.POSITIVE_INFINITY;
      throw error;
    }
    return this.#steps;
  }

  #step(): void {
    if (++this.#steps > MOST_STEPS) throw new TooManySteps();
  }

  #alternatives(alternatives: readonly AST.Alternative[]): Matcher {
    const matchers = alternatives.map(({ elements }) => this.#sequence(elements));
    return (at, next) => matchers.some((matcher) => matcher(at, next));
  }

  #sequence(elements: readonly AST.Element[]): Matcher {
    const matchers = elements.map((element) => this.#element(element));
    const from = (index: number, at: number, next: Next): boolean =>
      index === matchers.length ? next(at) : matchers[index]!(at, (place) => from(index + 1, place, next));
    return (at, next) => from(0, at, next);
  }

  #element(element: AST.Element): Matcher {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#character(element.raw);
      case 'Group':
        return this.#alternatives(element.alternatives);
      case 'CapturingGroup': {
        const inner = this.#alternatives(element.alternatives);
        return (at, next) =>
          inner(at, (end) => {
            this.#groups.set(element, this.#text.slice(at, end));
            return next(end);
          });
      }
      case 'Quantifier':
        return this.#quantifier(element);
      case 'Assertion':
        return this.#assertion(element);
      case 'Backreference': {
        const group = [element.resolved].flat()[0]!;
        return (at, next) => {
          this.#step();
          const text = this.#groups.get(group) ?? '';
          return this.#text.startsWith(text, at) && next(at + text.length);
        };
      }
    }
  }

  #character(raw: string): Matcher {
    const { ignoreCase, dotAll, unicode } = this.tree.flags;
    const pattern = new RegExp(
      `^${raw}$`,
      `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${unicode ? 'u' : ''}`,
    );
    const known = new Map<string, boolean>();
    return (at, next) => {
      this.#step();
      const character = this.#text[at];
      if (character === undefined) return false;
      let fits = known.get(character);
      if (fits === undefined) {
        fits = pattern.test(character);
        known.set(character, fits);
      }
      return fits && next(at + 1);
    };
  }

  #quantifier({ element, min, max, greedy }: AST.Quantifier): Matcher {
    const inner = this.#element(element);
    const again = (done: number, at: number, next: Next): boolean => {
      this.#step();
      const more = (): boolean =>
        done < max && inner(at, (end) => (end > at || done < min) && again(done + 1, end, next));
      if (done < min) return more();
      return greedy ? more() || next(at) : next(at) || more();
    };
    return (at, next) => again(0, at, next);
  }

  #assertion(assertion: AST.Assertion): Matcher {
    const { multiline } = this.tree.flags;
    const word = (at: number): boolean => /\w/.test(this.#text[at] ?? '');
    const test = ((): ((at: number) => boolean) => {
      switch (assertion.kind) {
        case 'start':
          return (at) => at === 0 || (multiline && this.#text[at - 1] === '\n');
        case 'end':
          return (at) => at === this.#text.length || (multiline && this.#text[at] === '\n');
        case 'word':
          return (at) => word(at) !== word(at - 1);
        case 'lookahead': {
          const inner = this.#alternatives(assertion.alternatives);
          return (at) => inner(at, () => true);
        }
        case 'lookbehind': {
          const inner = this.#alternatives(assertion.alternatives);
          const starts = (at: number): number[] =>
            Array.from({ length: Math.min(at, MOST_BEHIND) + 1 }, (_, back) => at - back);
          return (at) => starts(at).some((start) => inner(start, (end) => end === at));
        }
      }
    })();
    const negate = 'negate' in assertion && assertion.negate;
    return (at, next) => {
      this.#step();
      return test(at) !== negate && next(at);
    };
  }
}
