import { DecodeError } from '../../codec/decode-error.ts';
import { quote } from '../../errors/quote.ts';
import { parseGoInt64 } from '../../model/go-integer.ts';
import type { KubernetesObject } from '../../model/object.ts';

/**
 * Writes the integer of an annotation, if there is one, in canonical form.
 * @param introduction the beginning of the error text
 * @throws DecodeError when it is no 64-bit integer
 */
export function normalizeIntegerAnnotation(
  { metadata }: KubernetesObject,
  name: string,
  introduction: (text: string) => string = () => '',
): void {
  const text = metadata?.annotations?.[name];
  if (text === undefined) return;
  const value = parseGoInt64(text);
  if (typeof value === 'string')
    throw new DecodeError(`${introduction(text)}strconv.ParseInt: parsing ${quote(text)}: ${value}`);
  metadata!.annotations = { ...metadata!.annotations, [name]: String(value) };
}
