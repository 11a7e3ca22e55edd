import type { DeviceAttribute, DeviceCapacity } from '../../model/generated/resource-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { checkMembers } from '../validation/check-members.ts';
import { formatGo } from '../validation/go-value.ts';
import { validateQualifiedName } from './qualified-names.ts';

const MAXIMUM_ATTRIBUTES = 32;
const MAXIMUM_VALUE_LENGTH = 64;

/** The releases with lists as values of attributes. */
const HAS_LISTS: Life = { since: '1.36' };
/** The releases that report the name of an attribute at the map, and one without value as invalid. */
const NAMES_MAP: Life = { since: '1.35' };

interface Attributed {
  readonly attributes?: Readonly<Record<string, DeviceAttribute>> | undefined;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>> | undefined;
  readonly allowMultipleAllocations?: boolean | undefined;
}

/** Longest qualified name of an attribute: domain, slash and identifier. */
const MAXIMUM_SHOWN_KEY = 63 + 1 + 32;

/** A key as paths of errors show it; the middle of a long one is left out. */
function shownKey(key: string): string {
  if (key.length <= MAXIMUM_SHOWN_KEY) return key;
  const kept = MAXIMUM_SHOWN_KEY - 3;
  return `${key.slice(0, Math.ceil(kept / 2))}...${key.slice(-Math.floor(kept / 2))}`;
}

/**
 * Validates the attributes and capacities of a device.
 * @param at the path of the device as the request has it, where another one than that of other errors
 */
export function validateAttributes(
  { attributes = {}, capacity = {}, allowMultipleAllocations }: Attributed,
  field: string,
  at: string,
  context: RuleContext,
): FieldError[] {
  const total = Object.keys(attributes).length + Object.keys(capacity).length;
  const nameField = (list: string, name: string): string =>
    context.has(NAMES_MAP) ? `${field}.${list}` : `${field}.${list}[${shownKey(name)}]`;
  return [
    ...checkMembers(attributes, field, (name, attribute) => [
      ...validateQualifiedName(name, nameField('attributes', name), context),
      ...validateAttribute(attribute, name, field, at, context),
    ]),
    ...checkMembers(capacity, field, (name, { requestPolicy }) => [
      ...validateQualifiedName(name, nameField('capacity', name), context),
      ...(requestPolicy === undefined || allowMultipleAllocations === true
        ? []
        : [
            forbidden(
              `${field}.capacity[${shownKey(name)}].requestPolicy`,
              'allowMultipleAllocations must be true',
            ),
          ]),
    ]),
    ...(total > MAXIMUM_ATTRIBUTES
      ? [
          invalid(
            field,
            total,
            `the total number of attributes and capacities must not exceed ${MAXIMUM_ATTRIBUTES}`,
          ),
        ]
      : []),
  ];
}

/** A part of a pre-release: no number has a leading zero. */
const PART = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const NUMBER = '(?:0|[1-9]\\d*)';
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PART}(?:\\.${PART})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

const isTooLong = (text: string | undefined): boolean =>
  text !== undefined && Buffer.byteLength(text) > MAXIMUM_VALUE_LENGTH;

const VALUES = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'] as const;
const ONE_VALUE = 'exactly one value must be specified';

/** Validates an attribute: exactly one type of value is set. */
function validateAttribute(
  attribute: DeviceAttribute,
  name: string,
  device: string,
  at: string,
  { has }: RuleContext,
): FieldError[] {
  const field = `${device}.attributes[${shownKey(name)}]`;
  const { string, version, strings = [], versions = [] } = attribute;
  const set = VALUES.filter((value) => attribute[value] !== undefined);
  const errors = [
    ...validateText(string, `${field}.string`),
    ...validateVersion(version, `${field}.version`),
    ...strings.flatMap((text, index) => validateText(text, `${field}.strings[${index}]`)),
    ...versions.flatMap((text, index) => validateVersion(text, `${field}.versions[${index}]`)),
  ];
  if (set.length === 1) return errors;
  if (!has(HAS_LISTS))
    return [
      ...errors,
      set.length === 0
        ? required(field, ONE_VALUE)
        : invalidFormatted(field, formatGo('resource.DeviceAttribute', attribute), ONE_VALUE),
    ];
  const names = VALUES.map((value) => `\`${value}\``).join(', ');
  const union = `${at}.attributes[${shownKey(name)}]`;
  return [
    ...errors,
    set.length === 0
      ? invalid(union, '', `must specify one of: ${names}`)
      : invalid(union, `{${set.join(', ')}}`, `must specify exactly one of: ${names}`),
  ];
}

const validateText = (text: string | undefined, field: string): FieldError[] =>
  isTooLong(text) ? [tooLong(field, MAXIMUM_VALUE_LENGTH)] : [];

const validateVersion = (version: string | undefined, field: string): FieldError[] => [
  ...(version !== undefined && !VERSION.test(version)
    ? [invalid(field, version, 'must be a string compatible with semver.org spec 2.0.0')]
    : []),
  ...validateText(version, field),
];
