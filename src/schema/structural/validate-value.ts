import {
  type FieldError,
  invalidFormatted,
  notSupportedFormatted,
  required as requiredValue,
  tooMany,
} from '../../status/field-error.ts';
import { equalJson, jsonText } from './json.ts';
import { validateLists } from './list-types.ts';
import { validateScalar, validateType } from './scalars.ts';
import type { ValueSchema } from './value-schema.ts';

/**
 * Validates a JSON value against a structural schema: types, formats, bounds, enumerations, patterns,
 * required members, junctors, list types, nullable, int-or-string and embedded resources.
 *
 * @param value parsed JSON
 * @param field path of the value in errors
 * @returns all errors in the order of the keywords, with the messages of kube-apiserver
 */
export function validateValue(value: unknown, schema: ValueSchema, field: string): FieldError[] {
  return [...validateAgainst(value, schema, { field, name: '' }), ...validateLists(value, schema, field)];
}

/** Location of a value: its full path, and its path from the root for messages. */
export interface Place {
  readonly field: string;
  readonly name: string;
}

const memberOf = ({ field, name }: Place, member: string): Place => ({
  field: `${field}.${member}`,
  name: name === '' ? member : `${name}.${member}`,
});
const elementOf = ({ field, name }: Place, index: number): Place => ({
  field: `${field}[${index}]`,
  name: `${name}[${index}]`,
});

function validateAgainst(value: unknown, schema: ValueSchema, place: Place): FieldError[] {
  const wrongType = validateType(value, schema, place);
  const enumErrors = validateEnum(value, schema, place);
  if (value === null) return [...wrongType, ...enumErrors];
  return [
    ...wrongType,
    ...validateJunctors(value, schema, place),
    ...validateScalar(value, schema, place),
    ...(Array.isArray(value) ? validateElements(value, schema, place) : []),
    ...enumErrors,
    ...(isObject(value) ? validateMembers(value, schema, place) : []),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function validateEnum(
  value: unknown,
  { enum: values, nullable }: ValueSchema,
  { field }: Place,
): FieldError[] {
  if (values === undefined || values.length === 0) return [];
  if (values.some((one) => equalJson(one, value)) || (value === null && nullable === true)) return [];
  const supported = values.map((one) => (typeof one === 'string' ? one : jsonText(one)));
  return [notSupportedFormatted(field, jsonText(value), supported)];
}

function validateJunctors(
  value: unknown,
  { allOf, anyOf, oneOf, not }: ValueSchema,
  place: Place,
): FieldError[] {
  const errorsOf = (schema: ValueSchema): FieldError[] => validateAgainst(value, schema, place);
  // Errors of junctors are reported at the root; their messages name the value.
  const root: Place = {
    ...place,
    field: place.name === '' ? place.field : place.field.slice(0, -place.name.length).replace(/\.$/, ''),
  };
  const reject = (text: string): FieldError =>
    invalidFormatted(root.field, '""', `${JSON.stringify(place.name)} ${text}`);
  const errors: FieldError[] = [];
  if (anyOf !== undefined && anyOf.length > 0) {
    const tried = anyOf.map(errorsOf);
    if (tried.every((list) => list.length > 0))
      errors.push(reject('must validate at least one schema (anyOf)'), ...fewest(tried));
  }
  if (oneOf !== undefined && oneOf.length > 0) {
    const tried = oneOf.map(errorsOf);
    const valid = tried.filter((list) => list.length === 0).length;
    const head = 'must validate one and only one schema (oneOf).';
    if (valid === 0) errors.push(reject(`${head} Found none valid`), ...fewest(tried));
    else if (valid > 1) errors.push(reject(`${head} Found ${valid} valid alternatives`));
  }
  if (allOf !== undefined && allOf.length > 0) {
    const tried = allOf.map(errorsOf);
    const valid = tried.filter((list) => list.length === 0).length;
    for (const list of tried) errors.push(...list);
    if (valid < tried.length)
      errors.push(reject(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`));
  }
  if (not !== undefined && errorsOf(not).length === 0)
    errors.push(reject('must not validate the schema (not)'));
  return errors;
}

/** Returns the errors of the alternative with the fewest errors. */
const fewest = (tried: readonly FieldError[][]): FieldError[] =>
  tried.reduce((best, list) => (list.length < best.length ? list : best));

function validateElements(list: readonly unknown[], schema: ValueSchema, place: Place): FieldError[] {
  const { items, maxItems, minItems, uniqueItems } = schema;
  const errors =
    items === undefined
      ? []
      : list.flatMap((element, index) => validateAgainst(element, items, elementOf(place, index)));
  if (minItems !== undefined && list.length < minItems) {
    errors.push(
      invalidFormatted(
        place.field,
        String(list.length),
        `${place.name} in body should have at least ${minItems} items`,
      ),
    );
  }
  if (maxItems !== undefined && list.length > maxItems) {
    errors.push(tooMany(place.field, list.length, maxItems));
  }
  if (uniqueItems === true && new Set(list.map((element) => jsonText(element, true))).size < list.length) {
    errors.push(invalidFormatted(place.field, '""', `${place.name} in body shouldn't contain duplicates`));
  }
  return errors;
}

function validateMembers(object: Record<string, unknown>, schema: ValueSchema, place: Place): FieldError[] {
  const names = Object.keys(object);
  const { properties, additionalProperties, required = [], maxProperties, minProperties } = schema;
  const bound = (text: string): FieldError =>
    invalidFormatted(
      place.field,
      String(names.length),
      `${place.name} in body should have ${text} properties`,
    );
  const errors: FieldError[] = [];
  if (minProperties !== undefined && names.length < minProperties)
    errors.push(bound(`at least ${minProperties}`));
  if (maxProperties !== undefined && names.length > maxProperties)
    errors.push(bound(`at most ${maxProperties}`));
  for (const name of names) {
    const property = properties?.get(name);
    if (property !== undefined)
      errors.push(...validateAgainst(object[name], property, memberOf(place, name)));
    else if (additionalProperties === false) {
      errors.push(
        invalidFormatted(place.field, '""', `${memberOf(place, name).name} in body is a forbidden property`),
      );
    } else if (typeof additionalProperties === 'object')
      errors.push(...validateAgainst(object[name], additionalProperties, memberOf(place, name)));
  }
  for (const name of required) {
    if (!Object.hasOwn(object, name)) errors.push(requiredValue(memberOf(place, name).field));
  }
  if (schema.isEmbeddedResource === true) {
    for (const name of ['apiVersion', 'kind']) {
      if (typeof object[name] === 'string' && object[name] !== '') continue;
      errors.push(requiredValue(memberOf(place, name).field, 'must not be empty'));
    }
  }
  return errors;
}
