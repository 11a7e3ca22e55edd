import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { compareQuantityTexts, quantityTextSign, readQuantity } from './quantities.ts';
import {
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceAmount,
} from './resource-names.ts';

export type ResourceAmounts = Readonly<Record<string, string>>;

/** Cost of checking a name and its amount. */
const AMOUNT_COST = 10;
const HUGE_PAGES = 'hugepages-';
/** Quantities with a larger scale are not multiples of a page size. */
const MAXIMUM_SCALE = 18;

const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);

function validateHugePages(name: string, amount: string, field: string): FieldError[] {
  const bytes = (text: string): bigint => {
    const { unscaled, scale } = readQuantity(text);
    return scale < 0 || scale > MAXIMUM_SCALE ? 0n : unscaled * 10n ** BigInt(scale);
  };
  const page = bytes(name.slice(HUGE_PAGES.length));
  const isMultiple =
    quantityTextSign(amount) > 0 && page > 0n && bytes(amount) > 0n && bytes(amount) % page === 0n;
  return isMultiple ? [] : [invalid(field, amount, `${amount} is not positive integer multiple of ${name}`)];
}

type NameRule = (name: string, field: string) => FieldError[];

function validateAmount(name: string, amount: string, field: string, validateName: NameRule): FieldError[] {
  const pages = isHugePages(name) ? validateHugePages(name, amount, field) : [];
  return [...validateName(name, field), ...validateResourceAmount(name, amount, field), ...pages];
}

/** Validates requests and limits. @param validateName rule of the names; default: those of a container */
export function validateResourceRequirements(
  { limits = {}, requests = {} }: { limits?: ResourceAmounts; requests?: ResourceAmounts } = {},
  field: string,
  validateName: NameRule = validateContainerResourceName,
): FieldError[] {
  const errors = checkEach(
    limits,
    { place: `limits of ${field}`, cost: AMOUNT_COST, items: () => Object.keys(limits) },
    (name) => validateAmount(name, limits[name]!, `${field}.limits[${name}]`, validateName),
  );
  const errorsOfRequest = (name: string): FieldError[] => {
    const amount = requests[name]!;
    const errors = validateAmount(name, amount, `${field}.requests[${name}]`, validateName);
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit === undefined) {
      if (!isOvercommitAllowed(name))
        errors.push(required(`${field}.limits`, 'Limit must be set for non overcommitable resources'));
      return errors;
    }
    const order = compareQuantityTexts(amount, limit);
    if (order !== 0 && !isOvercommitAllowed(name))
      errors.push(invalid(`${field}.requests`, amount, `must be equal to ${name} limit of ${limit}`));
    else if (order > 0)
      errors.push(
        invalid(`${field}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`),
      );
    return errors;
  };
  const place = { place: `requests of ${field}`, cost: AMOUNT_COST, items: () => Object.keys(requests) };
  for (const error of checkEach(requests, place, errorsOfRequest)) errors.push(error);
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    errors.push(forbidden(field, 'HugePages require cpu or memory'));
  return errors;
}
