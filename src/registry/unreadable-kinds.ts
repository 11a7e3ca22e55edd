import type { CorruptObjectError } from './corrupt-object.ts';

/**
 * Kinds whose CustomResourceDefinition cannot be read from the store. Only its name is known, which is the
 * resource and the group (`things.example.com`). Requests for such a kind get the error of the definition: an
 * answer 404 would say that the kind, and with it its objects, has been deleted.
 */
export class UnreadableKinds {
  readonly #errors = new Map<string, CorruptObjectError>();

  /** @param definition name of the definition */
  set(definition: string, error: CorruptObjectError): void {
    this.#errors.set(definition, error);
  }

  /** The definition was read or removed. */
  delete(definition: string): void {
    this.#errors.delete(definition);
  }

  /** The error of the definition of a resource; undefined if it has none. */
  errorOf(group: string, resource: string): CorruptObjectError | undefined {
    return this.#errors.get(`${resource}.${group}`);
  }

  /** The error of the first definition of a group that has one. */
  errorInGroup(group: string): CorruptObjectError | undefined {
    for (const [name, error] of this.#errors) if (name.slice(name.indexOf('.') + 1) === group) return error;
    return undefined;
  }
}
