import type { AST } from '@eslint-community/regexpp';

/** Texts derived from a pattern: possible prefixes, and parts to repeat after them. */
export interface SuggestedTexts {
  readonly prefixes: readonly string[];
  readonly pumps: readonly string[];
}

const LONGEST_RUN = 4;
const MOST_PREFIXES = 6;
const MOST_PAIRED = 10;
const LONGEST_PUMP = 64;
const CANDIDATES = [...'0a1A-_./=*:\'"[]\\ \n\t\u0001\u00e9Zz5+,@#~%{}()<>&?!|^$`'];

/** Escapes of character classes that mean something else without the flag u. */
const NEEDS_UNICODE = /\\p|\\u\{/;

/** Two texts that match an element: the first match, and a different one if there is any. */
function samples(element: AST.Element): string[] {
  switch (element.type) {
    case 'Character':
      return [String.fromCodePoint(element.value)];
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const pattern = new RegExp(`^${element.raw}$`, NEEDS_UNICODE.test(element.raw) ? 'u' : '');
      const fitting = CANDIDATES.filter((candidate) => pattern.test(candidate));
      return [...new Set([fitting[0] ?? '\uffff', fitting.at(-1) ?? '\uffff'])];
    }
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.flatMap(({ elements }) => [sequence(elements, 0), sequence(elements, 1)]);
    case 'Quantifier':
      return samples(element.element).map((text) => text.repeat(Math.min(Math.max(element.min, 1), 50)));
    default:
      return [''];
  }
}

const sequence = (elements: readonly AST.Element[], variant: number): string =>
  elements.map((element) => samples(element).at(variant === 0 ? 0 : -1) ?? '').join('');

function alternativesIn(node: AST.Element | AST.Pattern): readonly AST.Alternative[] {
  const direct = 'alternatives' in node ? node.alternatives : [];
  const inner = node.type === 'Quantifier' ? alternativesIn(node.element) : [];
  return [
    ...direct,
    ...inner,
    ...direct.flatMap(({ elements }) => elements.flatMap((element) => alternativesIn(element))),
  ];
}

/** Elements, with consecutive characters merged. */
function atoms(elements: readonly AST.Element[]): AST.Element[][] {
  const found: AST.Element[][] = [];
  for (const element of elements) {
    const last = found.at(-1);
    if (element.type === 'Character' && last?.at(-1)?.type === 'Character') last.push(element);
    else found.push([element]);
  }
  return found;
}

/** Repeats consist of the pattern's elements, alone, in pairs and in runs; prefixes are its beginnings. */
export function suggestedTexts({ pattern }: AST.RegExpLiteral): SuggestedTexts {
  const singles = new Set<string>();
  const runs = new Set<string>();
  const prefixes = new Set(['']);
  for (const { elements } of alternativesIn(pattern)) {
    const parts = atoms(elements);
    for (const part of parts) for (const variant of [0, 1]) singles.add(sequence(part, variant));
    for (let first = 0; first < parts.length; first++)
      for (let length = 2; length <= LONGEST_RUN && first + length <= parts.length; length++) {
        const run = parts.slice(first, first + length).flat();
        for (const variant of [0, 1]) runs.add(sequence(run, variant));
      }
  }
  for (const { elements } of pattern.alternatives) {
    const parts = atoms(elements);
    for (let end = 1; end < parts.length; end++)
      if (prefixes.size < MOST_PREFIXES) prefixes.add(sequence(parts.slice(0, end).flat(), 0));
  }
  const short = [...singles]
    .filter((text) => text !== '')
    .sort((a, b) => a.length - b.length)
    .slice(0, MOST_PAIRED);
  const pairs = short.flatMap((first) => short.map((second) => first + second));
  const pumps = new Set(
    [...singles, ...runs, ...pairs].filter((text) => text !== '' && text.length <= LONGEST_PUMP),
  );
  return { prefixes: [...prefixes], pumps: [...pumps] };
}
