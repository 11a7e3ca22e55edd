import { DecodeError } from '../../codec/decode-error.ts';
import { writePlainBeginning } from '../../codec/json-plain.ts';
import { literalsOf } from '../../codec/number-literals.ts';
import type { TypedDocument } from '../../codec/typed.ts';
import { sortDecodedMembers } from '../../patch/index.ts';
import { ApiError, errors, invalid } from '../../status/index.ts';
import type { SizedWork } from '../../steps/run.ts';
import type { Steps } from '../../steps/steps.ts';
import {
  type ExpectedKind,
  identityProblem,
  internalKindProblem,
  isInternalVersion,
  malformedVersion,
  missingKind,
  typeMetaProblem,
} from '../request/expected-kind.ts';
import { decodingTyped } from '../request/typed-object.ts';

/** What a patch made of an object, as a plain tree. */
export interface PatchResult {
  readonly value: unknown;
  /** The containers that kube-apiserver decodes, and therefore encodes with sorted members. */
  readonly decoded: ReadonlySet<object>;
  /** Creates the text for the value in errors. */
  readonly text: () => string;
  /** The result must have apiVersion and kind; those of a strategic merge patch are ignored. */
  readonly namesVersion: boolean;
}

/**
 * Decodes the result of a patch.
 * @throws ApiError 422 if it does not match the expected kind, 400 if a custom object has no apiVersion
 */
export function* decodingResult(
  work: Pick<SizedWork, 'workingSetBytes'>,
  expected: ExpectedKind,
  result: PatchResult,
): Steps<TypedDocument> {
  try {
    return yield* decoding(work, expected, result);
  } catch (error) {
    if (!(error instanceof ApiError) || !result.namesVersion) throw error;
    // The first error is that of the text, in which the decoded members are sorted.
    yield* decoding(work, expected, {
      ...result,
      value: yield* sortDecodedMembers(result.value, result.decoded),
    });
    throw error;
  }
}

function* decoding(
  work: Pick<SizedWork, 'workingSetBytes'>,
  expected: ExpectedKind,
  result: PatchResult,
): Steps<TypedDocument> {
  const value = expected.fromFormerVersion?.(result.value) ?? result.value;
  const refuse = (message: string): ApiError => invalidPatchResult(result.text(), message);
  if (result.namesVersion && value !== null) {
    const problem = typeMetaProblem(value);
    if (problem !== undefined) throw refuse(problem);
  }
  const { apiVersion, kind } = (value ?? {}) as Partial<Record<'apiVersion' | 'kind', string | null>>;
  const type = { apiVersion: apiVersion ?? '', kind: kind ?? '' };
  if (expected.schema.isUntyped) {
    if (type.apiVersion.split('/').length > 2) throw refuse(malformedVersion(type.apiVersion));
    if (type.kind === '') throw refuse(missingKind(result.text()));
    if (apiVersion === null)
      throw refuse('.apiVersion accessor error: <nil> is of the type <nil>, expected string');
    if (type.apiVersion === '')
      throw errors.badRequest("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  } else if (result.namesVersion) {
    if (isInternalVersion(expected, type.apiVersion)) {
      const problem = internalKindProblem(expected, type.kind);
      if (problem !== undefined) throw refuse(problem);
      return { value: {}, unknown: Object.keys(value ?? {}).filter(isMember) };
    }
    const problem = identityProblem(expected, type, result.text);
    if (problem !== undefined) throw refuse(problem.message);
  }
  try {
    return yield* decodingTyped(work, expected, value ?? {}, { restores: !result.namesVersion });
  } catch (error) {
    if (error instanceof DecodeError || error instanceof ApiError) throw refuse(error.message);
    throw error;
  }
}

const isMember = (name: string): boolean => name !== 'kind' && name !== 'apiVersion';

/** Characters of a result that errors show. */
const SHOWN_CHARACTERS = 16 * 1024;

/** The beginning of a result with sorted members. */
export const beginningOf = (result: unknown): string =>
  writePlainBeginning(result, SHOWN_CHARACTERS, { literals: literalsOf(result) });

/** The beginning of a result whose decoded containers alone are sorted, as kube-apiserver encodes it. */
export const encodedBeginningOf = (result: unknown, decoded: ReadonlySet<object>): string =>
  writePlainBeginning(result, SHOWN_CHARACTERS, {
    isSorted: (container) => decoded.has(container),
    literals: literalsOf(result),
  });

const errorsWithResult = new WeakSet<ApiError>();

/** Whether an error shows the result of a patch. */
export const showsResult = (error: ApiError): boolean => errorsWithResult.has(error);

/** The error for a result that does not match the expected kind. */
export function invalidPatchResult(text: string, message: string): ApiError {
  const value = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  const error = errors.invalid({ group: '', kind: '' }, '', [invalid('patch', value, message)]);
  errorsWithResult.add(error);
  return error;
}
