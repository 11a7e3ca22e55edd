import type { DecodeOptions, TypedDocument } from '../../codec/typed.ts';
import { isLarge, type SizedWork } from '../../steps/run.ts';
import type { Steps } from '../../steps/steps.ts';
import type { ExpectedKind } from './expected-kind.ts';

/**
 * Decodes a plain tree as an object of the expected kind; that of a large request takes steps, in which defaults that
 * take long are set, too.
 * @throws DecodeError
 */
export function* decodingTyped(
  work: Pick<SizedWork, 'workingSetBytes'>,
  { schema, normalizeAnnotations, preparingDefaults }: ExpectedKind,
  plain: unknown,
  options?: DecodeOptions,
): Steps<TypedDocument> {
  const large = isLarge(work);
  const typed = large ? yield* schema.decodingPlain(plain, options) : schema.fromPlain(plain, options);
  normalizeAnnotations?.(typed.value);
  if (large && preparingDefaults !== undefined) yield* preparingDefaults(typed.value);
  return typed;
}
