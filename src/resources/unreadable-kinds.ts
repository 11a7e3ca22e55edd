import type { CorruptObjectError } from './corrupt-object.ts';

/**
 * Kinds whose CustomResourceDefinition cannot be read from the store. Only its name is known, which is the
 * resource and the group (`things.example.com`). Requests for such a kind get the error of the definition: an
 * answer 404 would say that the kind, and with it its objects, has been deleted.
 */
export class UnreadableKinds {
  readonly #errors = new Map<string, CorruptObjectError>();
  /** Increases with every change. */
  generation = 0;

  /** @param definition name of the definition */
  set(definition: string, error: CorruptObjectError): void {
    this.#errors.set(definition, error);
    this.generation += 1;
  }

  /** The definition was read or removed. */
  delete(definition: string): void {
    if (this.#errors.delete(definition)) this.generation += 1;
  }

  /** The error of the definition of a resource; undefined if it has none. */
  errorOf(group: string, resource: string): CorruptObjectError | undefined {
    return this.#errors.get(`${resource}.${group}`);
  }

  /** The error of the first definition of a group that has one. */
  errorInGroup(group: string): CorruptObjectError | undefined {
    for (const [name, error] of this.#errors) if (groupOf(name) === group) return error;
    return undefined;
  }

  /** The groups of the definitions. */
  groups(): ReadonlySet<string> {
    return new Set([...this.#errors.keys()].map(groupOf));
  }
}

const groupOf = (definition: string): string => definition.slice(definition.indexOf('.') + 1);
