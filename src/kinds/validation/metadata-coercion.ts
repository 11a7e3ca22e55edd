import { DecodeError } from '../../codec/decode-error.ts';
import { fromPlain, toPlain } from '../../codec/typed.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { nameIsPathSegment } from '../../model/name-syntax.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { type EmbeddedResource, validateTypeMeta, valueText } from '../../schema/structural/index.ts';
import { type FieldError, invalidFormatted } from '../../status/field-error.ts';
import { validateObjectMeta } from './object-meta.ts';

const objectMeta = () => internalTypes.type('meta_v1.ObjectMeta');

/** What happens to values of the wrong type: requests are refused; from stored objects they are dropped. */
export type Coercion = 'refuse' | 'drop';

/** Metadata in its typed form. */
export interface CoercedMetadata {
  readonly metadata: ObjectMeta;
  /** Paths of members that metadata does not have, below it: `ownerReferences[0].odd`. */
  readonly unknown: readonly string[];
}

/**
 * Decodes the metadata of an object from plain data.
 * @param coercion `drop`: members of the wrong type are dropped, each as a whole
 * @throws DecodeError
 */
export function coerceMetadata(plain: unknown, coercion: Coercion): CoercedMetadata {
  try {
    const { value, unknown } = fromPlain(objectMeta(), plain);
    return { metadata: value as ObjectMeta, unknown };
  } catch (error) {
    if (coercion === 'refuse' || !(error instanceof DecodeError)) throw error;
    return { metadata: metadataByMember(plain), unknown: [] };
  }
}

function metadataByMember(plain: unknown): ObjectMeta {
  const metadata: Record<string, unknown> = {};
  if (!isJsonObject(plain)) return metadata;
  for (const [name, member] of Object.entries(plain)) {
    try {
      Object.assign(metadata, fromPlain(objectMeta(), { [name]: member }).value);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
    }
  }
  return metadata;
}

/**
 * Gives the apiVersion, kind and metadata of embedded resources their types, in place: unknown members of
 * metadata are removed, and with `drop` the values of the wrong type.
 * @param resources of the object, from `Structure.embeddedResources`
 * @returns paths of the unknown members (`spec.template.metadata.odd`), sorted
 * @throws DecodeError
 */
export function coerceEmbeddedResources(
  resources: readonly EmbeddedResource[],
  coercion: Coercion,
): string[] {
  const unknown: string[] = [];
  for (const { resource, field } of resources) {
    for (const name of ['apiVersion', 'kind']) {
      if (!Object.hasOwn(resource, name) || typeof resource[name] === 'string') continue;
      if (coercion === 'refuse') throw refused(memberPath(field, name), resource[name], 'must be a string');
      delete resource[name];
    }
    if (!Object.hasOwn(resource, 'metadata')) continue;
    for (const path of coerceMetadataOf(resource, memberPath(field, 'metadata'), coercion))
      unknown.push(path);
  }
  return unknown.sort();
}

const memberPath = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

function coerceMetadataOf(
  resource: EmbeddedResource['resource'],
  field: string,
  coercion: Coercion,
): string[] {
  const { metadata: plain } = resource;
  const isObject = isJsonObject(plain);
  // Validation reports stored metadata that is no object.
  if (!isObject && plain !== null && coercion === 'drop') return [];
  try {
    const { metadata, unknown } = coerceMetadata(plain, coercion);
    const coerced = toPlain(objectMeta(), metadata) as Record<string, unknown>;
    if (coerced.creationTimestamp === null) delete coerced.creationTimestamp;
    resource.metadata = coerced;
    return unknown.map((path) => `${field}.${path}`);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refused(field, plain, error.message);
  }
}

/** A value of the wrong type in an embedded resource. */
export class RefusedMetadataError extends DecodeError {
  constructor(readonly fieldError: FieldError) {
    super(`${fieldError.field}: ${fieldError.body}`);
  }
}

const refused = (field: string, value: unknown, detail: string): RefusedMetadataError =>
  new RefusedMetadataError(invalidFormatted(field, valueText(value), detail));

/** A name for metadata without one: embedded resources need none. */
const NAME = 'fakename';

/**
 * Validates apiVersion, kind and metadata of an embedded resource. Not ratcheted: an update must repair
 * invalid values.
 */
export function validateEmbeddedResource(embedded: EmbeddedResource): FieldError[] {
  const { resource, field } = embedded;
  const errors = validateTypeMeta(embedded);
  if (!Object.hasOwn(resource, 'metadata')) return errors;
  const path = memberPath(field, 'metadata');
  try {
    const { metadata } = coerceMetadata(resource.metadata, 'refuse');
    const { name = '', namespace = '' } = metadata;
    const named = name === '' ? { ...metadata, name: NAME } : metadata;
    const rules = {
      namespaced: namespace !== '',
      validateName: nameIsPathSegment,
      path,
      allowsUnqualifiedFinalizers: true,
    };
    return [...errors, ...validateObjectMeta(named, rules)];
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return [...errors, invalidFormatted(path, valueText(resource.metadata), error.message)];
  }
}
