import { checkSelectorLength, SelectorSyntaxError } from './label-selector.ts';

/** Field selectors: `metadata.name=a,spec.nodeName!=b`, with `\` escaping `\`, `,` and `=` in values. */

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '==' | '!=';
  readonly value: string;
}

export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** The value that the selector requires `field` to equal, or undefined. */
  exact(field: string): string | undefined;
  /** Whether all requirements match; `read` returns an object's value of a field. */
  matches(read: (field: string) => string): boolean;
}

export const ALL_FIELDS: FieldSelector = { requirements: [], exact: () => undefined, matches: () => true };

/** @throws SelectorSyntaxError */
export function parseFieldSelector(text: string): FieldSelector {
  checkSelectorLength(text);
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === '') continue;
    const requirement = parseTerm(term, text);
    // As in kube-apiserver, a term without field and value selects everything.
    if (requirement.field !== '' || requirement.value !== '') requirements.push(requirement);
  }
  requirements.sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
  return requirements.length === 0 ? ALL_FIELDS : fieldSelectorOf(requirements);
}

const exactIn =
  (requirements: readonly FieldRequirement[]): FieldSelector['exact'] =>
  (field) =>
    requirements.find((one) => one.field === field && one.operator !== '!=')?.value;

/** More requirements are grouped by their fields. */
const FEW_REQUIREMENTS = 8;

/** A test whose time depends on the number of fields, not on that of the requirements. */
function matcherOf(requirements: readonly FieldRequirement[]): FieldSelector['matches'] {
  const required = new Map<string, Set<string>>();
  const excluded = new Map<string, Set<string>>();
  for (const { field, operator, value } of requirements) {
    const values = operator === '!=' ? excluded : required;
    const known = values.get(field);
    if (known === undefined) values.set(field, new Set([value]));
    else known.add(value);
  }
  return (read) => {
    for (const [field, values] of required) if (values.size > 1 || !values.has(read(field))) return false;
    for (const [field, values] of excluded) if (values.has(read(field))) return false;
    return true;
  };
}

export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  if (requirements.length > FEW_REQUIREMENTS)
    return { requirements, exact: exactIn(requirements), matches: matcherOf(requirements) };
  return {
    requirements,
    exact: exactIn(requirements),
    matches: (read) =>
      requirements.every(({ field, operator, value }) => (read(field) === value) === (operator !== '!=')),
  };
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(term: string, selector: string): FieldRequirement {
  for (let index = 0; index < term.length; index += 1) {
    const rest = term.slice(index, index + 2);
    const operator = rest === '!=' || rest === '==' ? rest : term[index] === '=' ? '=' : undefined;
    if (operator === undefined) continue;
    return {
      field: term.slice(0, index),
      operator,
      value: unescapeValue(term.slice(index + operator.length)),
    };
  }
  throw new SelectorSyntaxError(`invalid selector: '${selector}'; can't understand '${term}'`);
}

function unescapeValue(text: string): string {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (character === '\\') {
      const escaped = text[index + 1];
      if (escaped === undefined || !'\\,='.includes(escaped))
        throw new SelectorSyntaxError(`invalid field selector: invalid escape sequence: \\${escaped ?? ''}`);
      result += escaped;
      index += 1;
    } else if (character === ',' || character === '=') {
      throw new SelectorSyntaxError(
        `invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`,
      );
    } else result += character;
  }
  return result;
}
