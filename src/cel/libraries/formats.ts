import { labelKeyErrors, labelValueErrors } from '../../model/label-syntax.ts';
import { patternCost } from '../cost/runtime.ts';
import { ArrayList } from '../values/list.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { OptionalValue } from '../values/optional.ts';
import { sizeOf } from '../values/size.ts';
import { parseDate, parseTimestamp, Timestamp } from '../values/time.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction } from './function.ts';
import {
  allowingTrailingDash,
  label1035Problems,
  label1123Problems,
  subdomainProblems,
} from './name-formats.ts';
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

const uriProblems = (text: string): string[] => {
  const parsed = parseUrl(text);
  return typeof parsed === 'string' ? [parsed] : [];
};
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['dns1123Label', { problems: label1123Problems, patternLength: 30 }],
  ['dns1123LabelPrefix', { problems: allowingTrailingDash(label1123Problems), patternLength: 30 }],
  ['dns1035Label', { problems: label1035Problems, patternLength: 30 }],
  ['dns1035LabelPrefix', { problems: allowingTrailingDash(label1035Problems), patternLength: 30 }],
  ['dns1123Subdomain', { problems: subdomainProblems, patternLength: 60 }],
  ['dns1123SubdomainPrefix', { problems: allowingTrailingDash(subdomainProblems), patternLength: 60 }],
  ['qualifiedName', { problems: labelKeyErrors, patternLength: 60 }],
  ['labelValue', { problems: labelValueErrors, patternLength: 40 }],
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
