import { elementOf, mapValueOf, type Rule, type RuleSchema } from './rule-schema.ts';

/** A failed rule as a field error. */
export interface RuleError {
  readonly type: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** Such as `spec.ports[0]`; `<nil>` for the object itself. */
  readonly field: string;
  /** The type of the value in place of the value itself; empty for error types without a value. */
  readonly badValue: string;
  readonly detail: string;
}

/** The error for a field. @param path empty for the object itself */
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

/** The text that identifies a rule in an error: its message, or the rule itself. */
export const ruleText = ({ rule = '', message = '' }: Rule): string =>
  (message === '' ? rule : message).trim();

/** The error for a violated rule without a message expression. */
export const defaultMessage = (rule: Rule): string =>
  rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;

/** The maximum length of a message from an expression, in bytes. */
const MAX_MESSAGE_BYTES = 5120;

/** Whether the result of a message expression is usable as a message. */
export const isMessage = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.trim() !== '' &&
  !/[\r\n]/.test(text.trim()) &&
  Buffer.byteLength(text) <= MAX_MESSAGE_BYTES;

const STEP = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/;

/**
 * Appends the `fieldPath` of a rule: `.name` and `['name']` for properties and map keys. An invalid path is
 * ignored.
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
