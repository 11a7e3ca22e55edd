import { BinnacleError } from '../errors/binnacle-error.ts';
import { missingKey } from './elements.ts';
import type { Shape } from './shape.ts';
import { shapeOfValues } from './shape.ts';

/** An object cannot be compared with what managers own in another version. */
export class IncomparableError extends BinnacleError {
  override name = 'IncomparableError';
  readonly code = 'ERR_BINNACLE_INCOMPARABLE';
  constructor(
    readonly apiVersion: string,
    message: string,
    /** Such as `.spec.extra`; empty for the object. */
    readonly path = '',
    /** What the client can do. */
    readonly advice = 'apply it in that version',
  ) {
    super(message);
  }
}

/**
 * Checks that an object converted to another version has fields and types that the version declares.
 * @throws IncomparableError
 */
export function checkComparable(shape: Shape, object: object, apiVersion: string): void {
  const path = undeclaredField(shape, object);
  if (path !== undefined)
    throw new IncomparableError(apiVersion, `${path}: field not declared in schema`, path);
  if (!hasTypesOf(shape, object))
    throw new IncomparableError(apiVersion, 'values have other types than the schema declares');
}

const TYPE_MEMBERS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** Returns the path of the first field of an object that its shape does not declare. */
function undeclaredField(shape: Shape, object: object): string | undefined {
  for (const [name, value] of Object.entries(object)) {
    if (TYPE_MEMBERS.includes(name) || value === undefined) continue;
    const member = shape.member(name);
    const found = member === undefined ? '' : undeclaredIn(member.shape, value);
    if (found !== undefined) return `.${name}${found}`;
  }
  return undefined;
}

function undeclaredIn(declared: Shape, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const shape = shapeOfValues(declared, value);
  if (shape.kind === 'leaf' || shape.kind === 'set') return undefined;
  if (Array.isArray(value)) {
    if (shape.kind !== 'keyed') return undefined;
    for (const [index, item] of value.entries()) {
      const found = undeclaredIn(shape.item(), item);
      if (found !== undefined) return `[${index}]${found}`;
    }
    return undefined;
  }
  for (const [name, inner] of Object.entries(value)) {
    const member = shape.member(name);
    const found = member === undefined ? '' : undeclaredIn(member.shape, inner);
    if (found !== undefined) return `.${name}${found}`;
  }
  return undefined;
}

/**
 * Whether the values of an object have the types of its shape. Ownership of another object cannot be computed.
 */
export function hasTypesOf(shape: Shape, object: object): boolean {
  return Object.entries(object).every(([name, value]) => {
    const member = TYPE_MEMBERS.includes(name) ? undefined : shape.member(name);
    return member === undefined || fitsIn(member.shape, value);
  });
}

function fitsIn(declared: Shape, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const shape = shapeOfValues(declared, value);
  if (typeof value !== 'object')
    return fitsScalar(shape, typeof value === 'bigint' ? 'number' : typeof value);
  if (Array.isArray(value)) {
    if (shape.expects !== 'list') return shape.expects === 'any';
    return (
      shape.kind !== 'keyed' || value.every((item) => isKeyed(shape, item) && fitsIn(shape.item(), item))
    );
  }
  if (shape.expects !== 'map') return shape.expects === 'any';
  return Object.entries(value).every(([name, inner]) => {
    const member = shape.member(name);
    return member === undefined || fitsIn(member.shape, inner);
  });
}

/** Whether an item of a keyed list has its keys. */
const isKeyed = (shape: Shape, item: unknown): boolean =>
  typeof item === 'object' && item !== null && !Array.isArray(item) && missingKey(shape, item) === undefined;

const fitsScalar = ({ expects, scalar }: Shape, type: string): boolean =>
  expects === 'any' || (expects === 'scalar' && (scalar === undefined || scalar === type));
