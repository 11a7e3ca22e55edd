import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { isKnownFormat } from '../../schema/structural/formats.ts';

/** The releases that know formats of numbers, and formats of texts for texts only. */
const COMPARES_TYPE: Life = { since: '1.36' };
/** The releases that know the formats of names. */
const KNOWS_NAMES: Life = { since: '1.35' };
/** The releases that check whether numbers are within the range of their type and format. */
const CHECKS_RANGES: Life = { since: '1.37' };

const NAMES: ReadonlySet<string> = new Set(['k8sshortname', 'k8slongname']);
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** What a schema says of its values. */
type Typed = Pick<JSONSchemaProps, 'type' | 'format'>;
type Has = RuleContext['has'];

const isTextFormat = (format: string, has: Has): boolean =>
  isKnownFormat(format) && (has(KNOWS_NAMES) || !NAMES.has(format.replaceAll('-', '')));

/** Returns whether a release checks the format of a schema; others are left out. */
export function isCheckedFormat({ type = '', format = '' }: Typed, has: Has): boolean {
  if (format === '') return false;
  if (!has(COMPARES_TYPE) || type === '' || type === 'string') return isTextFormat(format, has);
  return NUMBERS[type]?.includes(format) === true;
}

/** Returns whether a definition is warned about the format of a schema. */
export const isUnrecognizedFormat = (schema: Typed, has: Has): boolean =>
  (has(COMPARES_TYPE) || schema.type === 'string') && !isCheckedFormat(schema, has);

/** Returns whether numbers of a schema are compared with the range of its type. */
export const checksRange = ({ type = '' }: Typed, has: Has): boolean =>
  has(CHECKS_RANGES) && Object.hasOwn(NUMBERS, type);

/** A text that is the same for releases that treat all schemas alike. */
export const formatRules = (has: Has): string =>
  [KNOWS_NAMES, COMPARES_TYPE, CHECKS_RANGES].map((life) => (has(life) ? '1' : '0')).join('');
