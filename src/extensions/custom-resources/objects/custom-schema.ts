import { type Shape, structuralShape } from '../../../apply/index.ts';
import { DecodeError } from '../../../codec/decode-error.ts';
import { writePlain, writingPlain } from '../../../codec/json-plain.ts';
import { shareLiterals } from '../../../codec/number-literals.ts';
import type { DecodeOptions, TypedDocument } from '../../../codec/typed.ts';
import { coerceEmbeddedResources, coerceMetadata } from '../../../kinds/validation/metadata-coercion.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { JsonDocument } from '../../../resources/kind-codec.ts';
import type { ObjectSchema, TypeMeta } from '../../../resources/object-schema.ts';
import { equalJson, Structure } from '../../../schema/structural/index.ts';
import { runNow } from '../../../steps/run.ts';
import type { Steps } from '../../../steps/steps.ts';
import { copying, copyWithLiterals } from './copy.ts';
import { documentOf, encodeObject, type Plain, plainOf, withoutFractions } from './object-json.ts';
import { makingPlain } from './object-steps.ts';

export interface CustomSchemaOptions {
  readonly structure: Structure;
  /** Whether `status` is a subresource, so that its changes don't count as changes of the object. */
  readonly hasStatus: boolean;
  /** Stored objects may contain numbers like `1.0`, which JSON responses show as `1`. */
  readonly keepsFloats: boolean;
  /** Type of the objects. */
  readonly typeMeta: TypeMeta;
  /** Returns the structure of another version of the kind; undefined if there is none. */
  readonly structureIn: (apiVersion: string) => Structure | undefined;
}

/** The structure of a version that the definition does not declare: everything is unknown. */
const UNDECLARED = new Structure({ type: 'object' });

/** The schema of custom objects in one version. Objects are plain JSON, except for their metadata. */
export class CustomSchema implements ObjectSchema {
  readonly structure: Structure;
  readonly isUntyped = true;
  readonly #hasStatus: boolean;
  readonly #keepsFloats: boolean;
  readonly #typeMeta: TypeMeta;
  readonly #structureIn: (apiVersion: string) => Structure | undefined;
  #shape: Shape | undefined;

  constructor({ structure, hasStatus, keepsFloats, typeMeta, structureIn }: CustomSchemaOptions) {
    this.structure = structure;
    this.#hasStatus = hasStatus;
    this.#keepsFloats = keepsFloats;
    this.#typeMeta = typeMeta;
    this.#structureIn = structureIn;
  }

  get members(): readonly string[] {
    return [...(this.structure.schema.properties?.keys() ?? [])];
  }

  isSmall(object: KubernetesObject): boolean {
    return this.structure.isSmall(object);
  }

  get shape(): Shape {
    this.#shape ??= structuralShape(this.structure.schema);
    return this.#shape;
  }

  /** Decodes and prunes. The result shares nothing with the plain tree. */
  fromPlain(plain: unknown, options?: DecodeOptions): TypedDocument {
    return runNow(this.decodingPlain(plain, options));
  }

  *decodingPlain(plain: unknown, { dropsMetadata = false }: DecodeOptions = {}): Steps<TypedDocument> {
    if (typeof plain !== 'object' || plain === null || Array.isArray(plain))
      throw new DecodeError('the value is not a JSON object');
    const copy = yield* copying(plain as Plain);
    const structure = this.#structureOf(copy);
    const pruned = structure === undefined ? [] : yield* structure.prune(copy, { isObject: true });
    const coercion = dropsMetadata ? 'drop' : 'refuse';
    const embedded = structure
      ? coerceEmbeddedResources(yield* structure.embeddedResources(copy), coercion)
      : [];
    const { metadata, unknown } = coerceMetadata(copy.metadata ?? {}, coercion);
    const value: KubernetesObject = { ...copy, metadata };
    shareLiterals(copy, value);
    return { value, unknown: [...unknown.map((path) => `metadata.${path}`), ...pruned, ...embedded] };
  }

  /**
   * The structure by which an object is pruned: that of the version it names, or none if it names another
   * kind or group. Such an object is refused when its type is validated.
   */
  #structureOf({ apiVersion, kind }: Plain): Structure | undefined {
    const expected = this.#typeMeta;
    if (typeof kind === 'string' && kind !== '' && kind !== expected.kind) return undefined;
    if (typeof apiVersion !== 'string' || apiVersion === '' || apiVersion === expected.apiVersion)
      return this.structure;
    const group = expected.apiVersion.slice(0, expected.apiVersion.indexOf('/') + 1);
    return apiVersion.startsWith(group) ? (this.#structureIn(apiVersion) ?? UNDECLARED) : undefined;
  }

  toPlain(object: KubernetesObject, typeMeta: TypeMeta): object {
    return copyWithLiterals(plainOf(object, typeMeta));
  }

  *makingPlain(object: KubernetesObject, typeMeta: TypeMeta): Steps<object> {
    return yield* copying(yield* makingPlain(object, typeMeta));
  }

  writeJson(object: KubernetesObject, typeMeta: TypeMeta): string {
    return writePlain(plainOf(object, typeMeta));
  }

  *writingJson(object: KubernetesObject, typeMeta: TypeMeta): Steps<string> {
    return yield* writingPlain(yield* makingPlain(object, typeMeta));
  }

  jsonDocument(object: KubernetesObject, typeMeta: TypeMeta, revision: string): JsonDocument {
    return documentOf(encodeObject(object, typeMeta), revision);
  }

  spliceDocument(stored: Uint8Array, revision: string): JsonDocument {
    return documentOf(this.#keepsFloats ? withoutFractions(stored) : stored, revision);
  }

  get spliceExactDocument(): ((stored: Uint8Array, revision: string) => JsonDocument) | undefined {
    return this.#keepsFloats ? documentOf : undefined;
  }

  specChanged(object: KubernetesObject, old: KubernetesObject): boolean {
    const ignored = (name: string): boolean =>
      name === 'metadata' ||
      name === 'apiVersion' ||
      name === 'kind' ||
      (this.#hasStatus && name === 'status');
    const names = new Set([...Object.keys(object), ...Object.keys(old)]);
    for (const name of names) {
      if (ignored(name)) continue;
      if (!Object.hasOwn(object, name) || !Object.hasOwn(old, name)) return true;
      if (!equalJson(object[name], old[name])) return true;
    }
    return false;
  }

  normalizePatched(plain: unknown): unknown {
    return plain;
  }

  binaryForm(plain: unknown): unknown {
    return plain;
  }
}
