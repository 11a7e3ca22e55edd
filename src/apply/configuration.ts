import { BinnacleError } from '../errors/binnacle-error.ts';
import { ForeignValue } from '../model/foreign-value.ts';
import { isJsonObject } from '../model/json-object.ts';
import { jsonTypeName } from '../patch/tree.ts';
import { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { itemElement, missingKey, missingKeyText } from './elements.ts';
import { FieldSet } from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import { fieldElement, formatElement, formatPath, type PathElement } from './path-element.ts';
import { type Shape, shapeOfValues } from './shape.ts';

/** An applied configuration violates the schema; the message has the path. */
export class ShapeError extends BinnacleError {
  override name = 'ShapeError';
  readonly code = 'ERR_BINNACLE_SHAPE';
}

type Members = Record<string, unknown>;
const TYPE_MEMBERS: readonly string[] = ['apiVersion', 'kind'];

/**
 * The fields of a plain tree, which an apply owns.
 * @param strict whether unknown members, wrong types and duplicate items are errors
 * @throws ShapeError
 */
export function* fieldsOf(
  shape: Shape,
  plain: object,
  strict: boolean,
  builder: Pick<FieldSetBuilder, 'add' | 'build'> = new FieldSetBuilder(),
): Steps<FieldSet> {
  yield* new FieldFinder(strict, builder).visit(shape, plain);
  return yield* builder.build();
}

/** Visits the fields of one tree. A class: see Comparisons of updater.ts. */
class FieldFinder {
  readonly #strict: boolean;
  readonly #pace = new Pace();
  readonly #builder: Pick<FieldSetBuilder, 'add'>;
  readonly #path: PathElement[] = [];
  /** Atomic values around the current one: they are checked, but owned as a whole. */
  #atomics = 0;

  constructor(strict: boolean, builder: Pick<FieldSetBuilder, 'add'>) {
    this.#strict = strict;
    this.#builder = builder;
  }

  *visit(declared: Shape, value: unknown): Steps<void> {
    const at = shapeOfValues(declared, value);
    if (this.#pace.isPause()) yield;
    if (value === null) {
      if (at.kind === 'leaf') this.#own();
      return;
    }
    if (value instanceof ForeignValue) this.#fail(foreignMismatch(at, value));
    if (this.#strict && !fits(at, value)) this.#fail(`expected ${at.expects}, got ${describe(value)}`);
    if (this.#strict && !fitsScalar(at, value)) this.#fail(scalarMismatch(at, value));
    if (at.kind === 'leaf') {
      this.#own();
      if (this.#strict && at.inside !== undefined) yield* this.#checkInside(at.inside(), value);
    } else if (Array.isArray(value)) yield* this.#visitItems(at, value);
    else if (typeof value === 'object')
      for (const name of Object.keys(value)) yield* this.#visitMember(at, name, (value as Members)[name]);
  }

  *#checkInside(inside: Shape, value: unknown): Steps<void> {
    this.#atomics += 1;
    if (!Array.isArray(value)) yield* this.visit(inside, value);
    else
      for (const [index, item] of value.entries()) {
        this.#path.push(`i:${index}`);
        yield* this.visit(inside, item);
        this.#path.pop();
      }
    this.#atomics -= 1;
  }

  *#visitItems(at: Shape, list: readonly unknown[]): Steps<void> {
    const seen = new Set<PathElement>();
    for (const [index, item] of list.entries()) {
      if (
        this.#strict &&
        at.kind === 'keyed' &&
        (typeof item !== 'object' || item === null || Array.isArray(item) || item instanceof ForeignValue)
      )
        this.#fail(
          `element ${index}: associative list with keys may not have ${item === null ? 'null element' : 'non-map elements'}`,
        );
      if (this.#strict && at.kind === 'set' && item === null)
        this.#fail(`element ${index}: associative list without keys has an element that's an explicit null`);
      const missing = this.#strict && at.kind === 'keyed' ? missingKey(at, item as object) : undefined;
      if (missing !== undefined) this.#fail(`element ${index}: ${missingKeyText(missing)}`);
      const element = itemElement(at, item);
      if (this.#strict && seen.has(element))
        this.#fail(`duplicate entries for key ${formatElement(element)}`);
      seen.add(element);
      this.#path.push(element);
      if (this.#pace.isPause()) yield;
      if (at.kind === 'keyed') yield* this.visit(at.item(), item);
      this.#own();
      this.#path.pop();
    }
  }

  *#visitMember(at: Shape, name: string, value: unknown): Steps<void> {
    if (value === undefined) return;
    const member = at.member(name);
    this.#path.push(fieldElement(name));
    if (member === undefined) {
      const isType = TYPE_MEMBERS.includes(name) && (this.#path.length === 1 || at.isKind === true);
      if (this.#strict && !isType) this.#fail('field not declared in schema');
    } else {
      yield* this.visit(member.shape, value);
      if (value === null || !member.named || isEmptyMap(value)) this.#own();
    }
    this.#path.pop();
  }

  #own(): void {
    if (this.#atomics === 0) this.#builder.add(this.#path);
  }

  #fail(message: string): never {
    throw new ShapeError(`${formatPath(this.#path)}: ${message}`);
  }
}

const NO_FIELDS: Pick<FieldSetBuilder, 'add' | 'build'> = {
  add: () => undefined,
  // biome-ignore lint/correctness/useYield: there is nothing to build
  *build() {
    return FieldSet.empty;
  },
};

/** Checks that a plain tree fits a shape, in steps. @throws ShapeError */
export function* checkShape(shape: Shape, plain: object): Steps<void> {
  yield* fieldsOf(shape, plain, true, NO_FIELDS);
}

function isEmptyMap(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function fits({ expects }: Shape, value: unknown): boolean {
  if (expects === 'any') return true;
  return (Array.isArray(value) ? 'list' : typeof value === 'object' ? 'map' : 'scalar') === expects;
}

const scalarName = (value: unknown): string => (typeof value === 'bigint' ? 'number' : typeof value);

const fitsScalar = ({ kind, scalar }: Shape, value: unknown): boolean =>
  kind !== 'leaf' || scalar === undefined || scalarName(value) === scalar;

/** The texts of the reference's library. */
function scalarMismatch({ scalar }: Shape, value: unknown): string {
  switch (scalar) {
    case 'number':
      return `expected numeric (int or float), got ${typeof value === 'boolean' ? 'bool' : typeof value}`;
    case 'string':
      return `expected string, got &value.valueUnstructured{Value:${String(value)}}`;
    default:
      return `expected ${scalar}, got ${describe(value)}`;
  }
}

function foreignMismatch({ kind, expects, scalar }: Shape, { text, syntax, type }: ForeignValue): string {
  if (kind === 'leaf' && scalar === 'number') return `expected numeric (int or float), got ${type}`;
  if (kind === 'leaf' && scalar === 'string')
    return `expected string, got &value.valueUnstructured{Value:${syntax}}`;
  const expected = scalar ?? { scalar: 'any scalar', list: 'list', map: 'map', any: 'map' }[expects];
  return `expected ${expected}, got &{${text}}`;
}

function describe(value: unknown): string {
  return typeof value === 'object' ? jsonTypeName(value) : `&{${String(value)}}`;
}
