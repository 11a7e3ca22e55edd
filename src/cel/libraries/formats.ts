import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValue,
  type NameRule,
  nameIsDns1035Label,
  nameIsLabel,
  nameIsSubdomain,
  qualifiedName,
} from '../../model/name-syntax.ts';
import { patternCost } from '../cost/runtime.ts';
import { ArrayList } from '../values/list.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { OptionalValue } from '../values/optional.ts';
import { sizeOf } from '../values/size.ts';
import { parseDate, parseTimestamp, Timestamp } from '../values/time.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction } from './function.ts';
import { parseUrl } from './url-parser.ts';

/** The check of a named format. */
interface Format {
  /** The errors of a text; empty when it is valid. */
  readonly problems: (text: string) => readonly string[];
  /** The pattern length that determines the cost of a check. */
  readonly patternLength: number;
}

/** A value of type `kubernetes.NamedFormat`. */
export class FormatValue extends OpaqueValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly format: Format;

  constructor(name: string, format: Format) {
    super();
    this.name = name;
    this.format = format;
  }

  equals(other: Value): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

const unless = (fits: (text: string) => boolean, problem: string) => (text: string) =>
  fits(text) ? [] : [problem];

/** The check of a name prefix (`generateName`), which can end in a dash. */
const ofPrefix = (rule: NameRule) => (text: string) => rule(text, true);

const uriProblems = (text: string): string[] => {
  const parsed = parseUrl(text);
  return typeof parsed === 'string' ? [parsed] : [];
};
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['dns1123Label', { problems: dns1123Label, patternLength: 30 }],
  ['dns1123LabelPrefix', { problems: ofPrefix(nameIsLabel), patternLength: 30 }],
  ['dns1035Label', { problems: dns1035Label, patternLength: 30 }],
  ['dns1035LabelPrefix', { problems: ofPrefix(nameIsDns1035Label), patternLength: 30 }],
  ['dns1123Subdomain', { problems: dns1123Subdomain, patternLength: 60 }],
  ['dns1123SubdomainPrefix', { problems: ofPrefix(nameIsSubdomain), patternLength: 60 }],
  ['qualifiedName', { problems: qualifiedName, patternLength: 60 }],
  ['labelValue', { problems: labelValue, patternLength: 40 }],
  ['uri', { problems: uriProblems, patternLength: 1103 }],
  [
    'uuid',
    { problems: unless((text) => UUID.test(text), 'does not match the UUID format'), patternLength: 70 },
  ],
  ['byte', { problems: unless(isBase64, 'invalid base64'), patternLength: 84 }],
  ['date', { problems: unless((text) => parseDate(text) !== undefined, 'invalid date'), patternLength: 71 }],
  [
    'datetime',
    {
      problems: unless((text) => parseTimestamp(text) instanceof Timestamp, 'invalid datetime'),
      patternLength: 71,
    },
  ],
]);

const VALUES: ReadonlyMap<string, FormatValue> = new Map(
  Array.from(FORMATS, ([name, format]) => [name, new FormatValue(name, format)] as const),
);

/** Named text formats. */
export const NAMED_FORMATS: readonly CelFunction[] = [
  ...Array.from(
    VALUES,
    ([name, value]): CelFunction => ({
      name: `format.${name}`,
      overloads: [{ id: `format.${name}`, arguments: [], invoke: () => value }],
    }),
  ),
  {
    name: 'format.named',
    overloads: [
      {
        id: 'format-named',
        arguments: ['string'],
        invoke: (_frame, name) => {
          const value = VALUES.get(name as string);
          return value === undefined ? OptionalValue.none : OptionalValue.of(value);
        },
      },
    ],
  },
  {
    name: 'validate',
    cost: (_frame, format, text) =>
      format instanceof FormatValue ? patternCost(sizeOf(text), format.format.patternLength) : 1,
    overloads: [
      {
        id: 'format-validate',
        arguments: ['kubernetes.NamedFormat', 'string'],
        invoke: (_frame, value, text) => {
          const problems = (value as FormatValue).format.problems(text as string);
          return problems.length === 0 ? OptionalValue.none : OptionalValue.of(new ArrayList(problems));
        },
      },
    ],
  },
];
