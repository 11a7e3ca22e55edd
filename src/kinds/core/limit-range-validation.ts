import type { LimitRange, LimitRangeItem } from '../../model/generated/core-v1.ts';
import { qualifiedName } from '../../model/name-syntax.ts';
import { getMember } from '../../model/object.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  required,
} from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { checkMembers } from '../validation/check-members.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { invalidTexts } from '../validation/fields.ts';
import { formatGoQuantity } from '../validation/go-value.ts';
import { compareQuantityTexts, int64Value } from '../validation/quantities.ts';
import {
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
} from '../validation/resource-names.ts';

const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];
const MEMBERS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
type Member = (typeof MEMBERS)[number];
/** Members that a Pod does not have. */
const DEFAULTS: readonly Member[] = ['default', 'defaultRequest'];

/** Validates a LimitRange. */
export function validateLimitRange({ spec = {} }: LimitRange): FieldError[] {
  const limits = spec.limits ?? [];
  const repeated = findDuplicates(limits, ({ type = '' }) => type);
  return checkEach(limits, { place: 'limits', cost: 2 }, (item, index) => {
    const field = `spec.limits[${index}]`;
    const { type = '' } = item;
    return [
      ...validateType(type, `${field}.type`),
      ...(repeated.has(index) ? [duplicate(`${field}.type`, type)] : []),
      ...validateItem(item, field),
    ];
  });
}

function validateType(type: string, field: string): FieldError[] {
  const texts = qualifiedName(type);
  if (texts.length > 0) return invalidTexts(field, type, texts);
  return type.includes('/') || TYPES.includes(type)
    ? []
    : [invalid(field, type, 'must be a standard limit type or fully qualified')];
}

function validateItem(item: LimitRangeItem, field: string): FieldError[] {
  const { type = '' } = item;
  const errors: FieldError[] = [];
  const validateName =
    type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  for (const member of MEMBERS) {
    const amounts = item[member] ?? {};
    if (type === 'Pod' && DEFAULTS.includes(member)) {
      if (Object.keys(amounts).length > 0)
        errors.push(forbidden(`${field}.${member}`, "may not be specified when `type` is 'Pod'"));
      continue;
    }
    const found = checkMembers(amounts, 'names', (name) => validateName(name, `${field}.${member}[${name}]`));
    for (const error of found) errors.push(error);
  }
  if (type === 'PersistentVolumeClaim' && !item.min?.storage && !item.max?.storage) {
    errors.push(
      required(
        `${field}.limits`,
        'either minimum or maximum storage value is required, but neither was provided',
      ),
    );
  }
  const amounts = { place: 'amounts', cost: 3, items: () => namesIn(item) };
  return [...errors, ...checkEach(item, amounts, (name) => validateAmounts(item, name, field))];
}

/** The names of the resources that an item limits. */
function namesIn(item: LimitRangeItem): string[] {
  const names = new Set<string>();
  for (const member of MEMBERS)
    if (item.type !== 'Pod' || !DEFAULTS.includes(member))
      for (const name of Object.keys(item[member] ?? {})) names.add(name);
  return [...names];
}

/** `low` may not exceed `high`; the error is at `errorMember` and reports the value of `valueMember`. */
const ORDER_RULES: readonly {
  readonly low: Member;
  readonly high: Member;
  readonly errorMember: Member;
  readonly valueMember: Member;
  readonly names: readonly [string, string];
}[] = [
  { low: 'min', high: 'max', errorMember: 'min', valueMember: 'min', names: ['min', 'max'] },
  {
    low: 'min',
    high: 'defaultRequest',
    errorMember: 'defaultRequest',
    valueMember: 'defaultRequest',
    names: ['min', 'default request'],
  },
  {
    low: 'defaultRequest',
    high: 'max',
    errorMember: 'defaultRequest',
    valueMember: 'defaultRequest',
    names: ['default request', 'max'],
  },
  {
    low: 'defaultRequest',
    high: 'default',
    errorMember: 'defaultRequest',
    valueMember: 'defaultRequest',
    names: ['default request', 'default limit'],
  },
  { low: 'min', high: 'default', errorMember: 'default', valueMember: 'min', names: ['min', 'default'] },
  { low: 'default', high: 'max', errorMember: 'default', valueMember: 'max', names: ['default', 'max'] },
];

function validateAmounts(item: LimitRangeItem, name: string, field: string): FieldError[] {
  const amountOf = (member: Member): string | undefined => {
    if (item.type === 'Pod' && DEFAULTS.includes(member)) return undefined;
    return getMember(item[member] ?? {}, name) as string | undefined;
  };
  const amountError = (member: Member, amount: string, detail: string): FieldError =>
    invalidFormatted(`${field}.${member}[${name}]`, formatGoQuantity(amount), detail);
  const errors = ORDER_RULES.flatMap(
    ({ low, high, errorMember, valueMember, names: [lowName, highName] }) => {
      const [smaller, larger] = [amountOf(low), amountOf(high)];
      if (smaller === undefined || larger === undefined || compareQuantityTexts(smaller, larger) <= 0)
        return [];
      return [
        amountError(
          errorMember,
          amountOf(valueMember)!,
          `${lowName} value ${smaller} is greater than ${highName} value ${larger}`,
        ),
      ];
    },
  );
  const ratio = amountOf('maxLimitRequestRatio');
  if (ratio !== undefined) {
    if (compareQuantityTexts(ratio, '1') < 0)
      errors.push(amountError('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`));
    const [minimum, maximum] = [amountOf('min'), amountOf('max')];
    if (minimum !== undefined && maximum !== undefined) {
      const [limit, wanted] = ratiosOf(minimum, maximum, ratio);
      if (wanted > limit)
        errors.push(
          amountError(
            'maxLimitRequestRatio',
            ratio,
            `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`,
          ),
        );
    }
  }
  const [limit, request] = [amountOf('default'), amountOf('defaultRequest')];
  if (
    !isOvercommitAllowed(name) &&
    limit !== undefined &&
    request !== undefined &&
    compareQuantityTexts(limit, request) !== 0
  ) {
    errors.push(
      amountError(
        'defaultRequest',
        request,
        `default value ${limit} must equal to defaultRequest value ${request} in ${name}`,
      ),
    );
  }
  return errors;
}

/** Larger values do not fit an int64 in thousandths. */
const MAXIMUM_IN_THOUSANDTHS = (2n ** 63n - 1n) / 1000n;

/** The ratio of maximum and minimum, and the ratio that is wanted; in thousandths if they fit an int64. */
function ratiosOf(minimum: string, maximum: string, ratio: string): [number, number] {
  const whole = [minimum, maximum, ratio].map((text) => int64Value(text));
  const fits = whole.every((value) => value < MAXIMUM_IN_THOUSANDTHS);
  const [low, high, wanted] = fits ? [minimum, maximum, ratio].map((text) => int64Value(text, -3)) : whole;
  return [Number(high) / Number(low), Number(wanted) / (fits ? 1000 : 1)];
}
