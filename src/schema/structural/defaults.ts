import { BinnacleError } from '../../errors/binnacle-error.ts';
import type { Steps } from '../../steps/steps.ts';
import { copyJson, isContainer, type JsonObject, setMember } from './json.ts';
import type { Node } from './node.ts';
import { isObjectMember } from './prune.ts';
import { walkAll } from './walk.ts';

/** Maximum size of the defaults that one object gets: characters of names and text, scalars and containers. */
const MAXIMUM_DEFAULTS = 4_000_000;

/** Thrown when an object would get so many or so large defaults that it could not be stored. */
export class TooManyDefaultsError extends BinnacleError {
  readonly code = 'ERR_BINNACLE_TOO_MANY_DEFAULTS';
  constructor() {
    super('the defaults of the object are too large');
  }
}

/** How defaults are set. */
export interface DefaultingOptions {
  /** The value is a whole object, whose apiVersion, kind and metadata are left alone. */
  readonly isObject?: boolean;
  /** Members that are null where null is not allowed stay if they have no default. */
  readonly keepsNulls?: boolean;
}

interface Defaulting {
  readonly value: object;
  readonly node: Node;
  /** The value is a whole object, whose type and metadata get no defaults. */
  readonly isRoot: boolean;
}

const sizes = new WeakMap<object, number>();

/** Sets the defaults of the members and elements of containers. */
class Defaulter {
  private size = 0;

  constructor(private readonly keepsNulls: boolean) {}

  readonly visit = (defaulting: Defaulting, rest: Defaulting[]): number => {
    const { value } = defaulting;
    return Array.isArray(value)
      ? this.visitList(value, defaulting, rest)
      : this.visitObject(defaulting, rest);
  };

  private visitObject({ value, node, isRoot }: Defaulting, rest: Defaulting[]): number {
    const object = value as JsonObject;
    for (const { name, value: preset, nullable } of node.defaults) {
      if (isRoot && isObjectMember(name)) continue;
      if (!Object.hasOwn(object, name) || (object[name] === null && !nullable))
        setMember(object, name, this.copy(preset, name.length));
    }
    const names = Object.keys(object);
    for (const name of names) {
      if (isRoot && isObjectMember(name)) continue;
      const inner = node.valueOf(name);
      if (inner === undefined) continue;
      let member = object[name];
      if (member === null && inner.schema.nullable !== true) {
        const preset = inner.schema.default;
        if (preset === undefined || preset === null) {
          if (!this.keepsNulls) delete object[name];
          continue;
        }
        member = this.copy(preset);
        setMember(object, name, member);
      }
      if (isContainer(member)) rest.push({ value: member, node: inner, isRoot: false });
    }
    return names.length;
  }

  private visitList(list: unknown[], { node }: Defaulting, rest: Defaulting[]): number {
    const { items } = node;
    if (items === undefined) return 0;
    const { default: preset = null, nullable } = items.schema;
    for (let index = 0; index < list.length; index += 1) {
      if (list[index] === null && preset !== null && nullable !== true) list[index] = this.copy(preset);
      const element = list[index];
      if (isContainer(element)) rest.push({ value: element, node: items, isRoot: false });
    }
    return list.length;
  }

  private copy(preset: unknown, nameLength = 0): unknown {
    this.size += nameLength + sizeOfDefault(preset);
    if (this.size > MAXIMUM_DEFAULTS) throw new TooManyDefaultsError();
    return copyJson(preset);
  }
}

function sizeOfDefault(preset: unknown): number {
  if (!isContainer(preset)) return sizeOfScalar(preset);
  let size = sizes.get(preset);
  if (size === undefined) {
    size = 0;
    const rest: unknown[] = [preset];
    while (rest.length > 0) {
      const part = rest.pop();
      size += sizeOfScalar(part);
      if (!isContainer(part)) continue;
      for (const [name, member] of Object.entries(part)) {
        size += name.length;
        rest.push(member);
      }
    }
    sizes.set(preset, size);
  }
  return size;
}

const sizeOfScalar = (value: unknown): number => (typeof value === 'string' ? 1 + value.length : 1);

/**
 * Sets the defaults of absent members in place, and of members that are null where null is not allowed;
 * removes such members that have no default. Elements and values of maps are visited, but an absent element
 * is never added. Defaults are copied.
 * @throws TooManyDefaultsError
 */
export function* setDefaultsOf(
  node: Node,
  value: unknown,
  { isObject = false, keepsNulls = false }: DefaultingOptions,
): Steps<void> {
  if (isContainer(value)) yield* walkAll({ value, node, isRoot: isObject }, new Defaulter(keepsNulls).visit);
}
