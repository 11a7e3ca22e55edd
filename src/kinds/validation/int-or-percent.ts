import { patternMessage, portName, portNumber } from '../../model/name-syntax.ts';
import { type FieldError, invalid, invalidFormatted } from '../../status/field-error.ts';
import { NOT_NEGATIVE } from './fields.ts';
import { formatGoIntOrString } from './format-value.ts';

export type IntOrString = number | string;

const PERCENT = '[0-9]+%';
const percentText = patternMessage(
  "a valid percent string must be a numeric string followed by an ending '%'",
  PERCENT,
  '1%',
  '93%',
);

/** Validates a non-negative count or a percentage such as `25%`. */
export function validateIntOrPercent(value: IntOrString | undefined, field: string): FieldError[] {
  if (typeof value === 'string')
    return /^[0-9]+%$/.test(value) ? [] : [invalidFormatted(field, formatGoIntOrString(value), percentText)];
  return value !== undefined && value < 0 ? [invalid(field, value, NOT_NEGATIVE)] : [];
}

export function validateAtMostHundredPercent(value: IntOrString | undefined, field: string): FieldError[] {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) && Number(value.slice(0, -1)) > 100
    ? [invalidFormatted(field, formatGoIntOrString(value), 'must not be greater than 100%')]
    : [];
}

/** Returns the number of a count or percentage; 0 when it is neither. */
export function countOrPercent(value: IntOrString | undefined): number {
  if (typeof value === 'number') return value;
  const match = /^(\d+)%?$/.exec(value ?? '');
  return match === null ? 0 : Number(match[1]);
}

/** Validates a port number or port name. */
export function validatePortNumberOrName(port: IntOrString | undefined, field: string): FieldError[] {
  const texts = typeof port === 'string' ? portName(port) : portNumber(port ?? 0);
  return texts.map((text) => invalid(field, typeof port === 'string' ? port : (port ?? 0), text));
}
