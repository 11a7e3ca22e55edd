import type { TypeMeta } from '../../codec/type-meta.ts';
import { notAnObject, notAString } from '../../codec/type-meta.ts';
import { quote } from '../../errors/quote.ts';
import { apiVersionOf, type KubernetesObject, parseApiVersion } from '../../model/object.ts';
import { canonicalGroup, isReadOnlyKind } from '../../model/scheme-kinds.ts';
import type { TypeModel } from '../../model/type-model.ts';
import { builtinSchema, type ObjectSchema } from '../../resources/object-schema.ts';
import type { Steps } from '../../steps/steps.ts';

/** The kind that a body, or the result of a patch, must contain. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
  /** The types of the release, which name other kinds. */
  readonly types: TypeModel;
  /** Sets defaults in place. Idempotent. */
  setDefaults?(object: KubernetesObject): void;
  /** Sets those defaults that take long for a large object, before {@link setDefaults} does the rest. */
  preparingDefaults?(object: KubernetesObject): Steps<void>;
  /** Converts what a patch made of an object, if it names a version that is not served any more. */
  fromFormerVersion?(plain: unknown): unknown;
  /** Normalizes annotations of a decoded object. @throws DecodeError */
  normalizeAnnotations?(object: KubernetesObject): void;
}

/** Why data is not an object of the expected kind. */
export type KindProblem =
  /** The type cannot be read, or is missing. */
  | { readonly reason: 'unreadable'; readonly message: string }
  /** The data has the expected kind in another version. */
  | { readonly reason: 'other version'; readonly message: string }
  | {
      readonly reason: 'other kind';
      readonly message: string;
      /** The kind and the version that the data names, or the expected ones. */
      readonly kind: string;
      readonly version: string;
    };

/**
 * Compares kind and apiVersion of plain data, where they are set, with the expected kind.
 * @param text creates the text of the data, for errors
 */
export function kindProblem(
  expected: ExpectedKind,
  value: unknown,
  text: () => string,
): KindProblem | undefined {
  if (value === null || value === undefined)
    return expected.schema.isUntyped ? untypedProblem(expected, NO_TYPE, text) : undefined;
  const message = typeMetaProblem(value);
  if (message !== undefined) return { reason: 'unreadable', message };
  const { apiVersion, kind } = value as Partial<Record<keyof TypeMeta, string | null>>;
  return identityProblem(expected, { apiVersion: apiVersion ?? '', kind: kind ?? '' }, text);
}

const NO_TYPE: TypeMeta = { apiVersion: '', kind: '' };

/** The message for plain data whose type cannot be read; undefined if it can. */
export function typeMetaProblem(value: unknown): string | undefined {
  const step = "couldn't get version/kind; json parse error: ";
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return step + notAnObject(value);
  for (const name of ['apiVersion', 'kind'] as const) {
    const member = (value as Partial<Record<typeof name, unknown>>)[name];
    if (member !== undefined && member !== null && typeof member !== 'string')
      return step + notAString(name, member);
  }
  return undefined;
}

/** The reason why plain data is not an object. */
export const missingKind = (text: string): string => `Object 'Kind' is missing in '${text}'`;

/** The message for an apiVersion that is no group version. */
export const malformedVersion = (apiVersion: string): string =>
  `unexpected GroupVersion string: ${apiVersion}`;

/** Compares the type of a plain object: its kind is required, and validated later. */
function untypedProblem(
  { group, version }: ExpectedKind,
  { apiVersion, kind }: TypeMeta,
  text: () => string,
): KindProblem | undefined {
  if (kind === '') return { reason: 'unreadable', message: missingKind(text()) };
  const expectedVersion = apiVersionOf(group, version);
  return apiVersion === expectedVersion ? undefined : otherVersion(apiVersion, expectedVersion);
}

/**
 * Compares a type with the expected kind; an empty kind or apiVersion stands for the expected one.
 * @param text creates the text of the data, for errors
 */
export function identityProblem(
  expected: ExpectedKind,
  type: TypeMeta,
  text: () => string,
): KindProblem | undefined {
  if (expected.schema.isUntyped) return untypedProblem(expected, type, text);
  const expectedVersion = apiVersionOf(expected.group, expected.version);
  const apiVersion = type.apiVersion === '' ? expectedVersion : type.apiVersion;
  const kind = type.kind === '' ? expected.kind : type.kind;
  if (apiVersion === expectedVersion && kind === expected.kind) return undefined;
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) return { reason: 'unreadable', message: malformedVersion(apiVersion) };
  if (kind === expected.kind && isOtherVersion(expected, parsed, apiVersion))
    return otherVersion(apiVersion, expectedVersion);
  const message =
    builtinSchema(expected.types, parsed.group, parsed.version, kind) === undefined
      ? unregistered(
          kind,
          parsed.version === INTERNAL ? internalVersion(parsed.group) : `version ${quote(apiVersion)}`,
        )
      : unconvertible(expected, `${parsed.version}.${kind}`);
  return { reason: 'other kind', message, kind, version: parsed.version };
}

/** Kube-apiserver's name of the version of its internal types. */
const INTERNAL = '__internal';

/**
 * Whether kube-apiserver decodes the result of a patch as the internal type of the expected kind: the patch
 * removed the apiVersion, or set it to the internal version.
 */
export function isInternalVersion({ group }: ExpectedKind, apiVersion: string): boolean {
  return apiVersion === '' || apiVersion === apiVersionOf(group, INTERNAL);
}

/** The message for the result of a patch in the internal version that has another kind. */
export function internalKindProblem(expected: ExpectedKind, kind: string): string | undefined {
  const { group, version } = expected;
  if (kind === '' || kind === expected.kind) return undefined;
  return builtinSchema(expected.types, group, version, kind) === undefined
    ? unregistered(kind, internalVersion(group))
    : unconvertible(expected, `${internalPackage(group)}.${kind}`);
}

const internalVersion = (group: string): string => `the internal version of group ${quote(group)}`;

const unregistered = (kind: string, version: string): string =>
  `no kind ${quote(kind)} is registered for ${version} in scheme "pkg/runtime/scheme.go:100"`;

const unconvertible = ({ group, kind }: ExpectedKind, from: string): string =>
  `converting (${from}) to (${internalPackage(group)}.${kind}): unknown conversion`;

/** Kube-apiserver's package of the internal types of a group. */
const internalPackage = (group: string): string => (group === '' ? 'core' : group.split('.', 1)[0]!);

/** Whether a body has the expected kind in another readable version. */
function isOtherVersion(
  expected: ExpectedKind,
  { group, version }: { group: string; version: string },
  apiVersion: string,
): boolean {
  if (canonicalGroup(group, expected.kind) !== canonicalGroup(expected.group, expected.kind)) return false;
  return (
    builtinSchema(expected.types, group, version, expected.kind) !== undefined ||
    isReadOnlyKind(apiVersion, expected.kind)
  );
}

const otherVersion = (given: string, expectedVersion: string): KindProblem => ({
  reason: 'other version',
  message: `the API version in the data (${given}) does not match the expected API version (${expectedVersion})`,
});
