import { elementOf, mapValueOf, type Rule, type RuleSchema } from './rule-schema.ts';

/** What is wrong with an object by its rules, as an error of a field. */
export interface RuleError {
  readonly type: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** Such as `spec.ports[0]`; `<nil>` for the object itself. */
  readonly field: string;
  /** The value is not shown, only the word of its type; empty where the type of error shows none. */
  readonly badValue: string;
  readonly detail: string;
}

/** The error of a place. @param path empty for the object itself */
export function ruleError(
  schema: RuleSchema,
  path: string,
  detail: string,
  reason = 'FieldValueInvalid',
): RuleError {
  const field = path === '' ? '<nil>' : path;
  const badValue = schema.type ?? '';
  switch (reason) {
    case 'FieldValueForbidden':
    case 'FieldValueRequired':
      return { type: reason, field, badValue: '', detail };
    case 'FieldValueDuplicate':
      return { type: reason, field, badValue, detail: '' };
    default:
      return { type: 'FieldValueInvalid', field, badValue, detail };
  }
}

/** What stands for a rule inside of an error's text: its message, or itself. */
export const ruleText = ({ rule = '', message = '' }: Rule): string =>
  (message === '' ? rule : message).trim();

/** What is said when a rule does not hold and has no message of its own making. */
export const defaultMessage = (rule: Rule): string =>
  rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;

/** The longest message that an expression may make, in bytes. */
const MAX_MESSAGE_BYTES = 5120;

/** Whether what an expression made can be shown as a message. */
export const isMessage = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.trim() !== '' &&
  !/[\r\n]/.test(text.trim()) &&
  Buffer.byteLength(text) <= MAX_MESSAGE_BYTES;

const STEP = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/;

/**
 * Appends the field that a rule points at: `.name` and `['name']` through properties, and keys of maps. What
 * leads nowhere adds nothing.
 */
export function reportedPath(path: string, { fieldPath = '' }: Rule, schema: RuleSchema): string {
  let at: RuleSchema | undefined = schema;
  let pointed = path;
  for (let rest = fieldPath.trim(); rest !== ''; ) {
    const step = STEP.exec(rest);
    if (step === null || at === undefined) return path;
    const name = step[1] ?? step[2]!.replace(/\\(.)/g, '$1');
    const isProperty = Object.hasOwn(at.properties ?? {}, name);
    pointed = isProperty ? childPath(pointed, name) : `${pointed}[${name}]`;
    at = isProperty ? at.properties![name] : (mapValueOf(at) ?? elementOf(at));
    rest = rest.slice(step[0].length);
  }
  return at === undefined ? path : pointed;
}

export const childPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
