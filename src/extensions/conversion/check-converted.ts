import { writePlain } from '../../codec/json-plain.ts';
import { shareLiterals } from '../../codec/number-literals.ts';
import { jsonTypeOf } from '../../codec/type-meta.ts';
import { ConversionFailure } from './conversion-failure.ts';
import type { PlainObject } from './conversion-review.ts';
import { identityFault, restoreMetadata } from './converted-metadata.ts';

/** Maximum characters of an object that an error repeats. */
const MAXIMUM_QUOTED = 2048;

/** What converted objects are checked against. */
export interface Expectation {
  /** `conversion webhook for example.com/v1, Kind=Thing`: begins each message. */
  readonly subject: string;
  readonly desiredAPIVersion: string;
  /** The whole response: notes about its numbers are kept for each object. */
  readonly document: object;
}

/**
 * Checks one converted object against the object sent and restores its metadata in place.
 * @param index undefined if a single object was sent
 * @throws ConversionFailure
 */
export function checkConverted(
  sent: PlainObject,
  converted: unknown,
  index: number | undefined,
  { subject, desiredAPIVersion, document }: Expectation,
): PlainObject {
  const fail = (message: string): never => {
    throw new ConversionFailure('conversion_webhook_invalid_converted_object_failure', message);
  };
  const position = index === undefined ? '' : ` at index ${index}`;
  const undecodable = decodingFault(converted);
  // kube-apiserver gives these texts alone; in a list they would not tell which object.
  if (undecodable !== undefined)
    return fail(
      index === undefined ? undecodable : `${subject} returned invalid object${position}: ${undecodable}`,
    );
  const object = converted as PlainObject;
  const { kind } = object;
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  const misplaced =
    apiVersion !== desiredAPIVersion
      ? `invalid groupVersion (expected ${desiredAPIVersion}, received ${apiVersion})`
      : kind !== sent.kind
        ? `invalid kind (expected ${String(sent.kind)}, received ${String(kind)})`
        : undefined;
  if (misplaced !== undefined)
    return fail(`${subject} returned invalid object at index ${index ?? 0}: ${misplaced}`);
  const other = identityFault(sent, object);
  if (other !== undefined) return fail(`${subject} returned invalid object${position}: ${other}`);
  const fault = restoreMetadata(sent, object);
  if (fault !== undefined)
    return fail(
      `${subject} returned invalid metadata${index === undefined ? '' : ` in object${position}`}: ${fault}`,
    );
  shareLiterals(document, object);
  return object;
}

function decodingFault(converted: unknown): string | undefined {
  if (converted === null) return 'unexpected end of JSON input';
  if (typeof converted !== 'object' || Array.isArray(converted))
    return `json: cannot unmarshal ${jsonTypeOf(converted)} into Go value of type map[string]interface {}`;
  const { apiVersion, kind } = converted as PlainObject;
  // An apiVersion with more than one slash hides the kind.
  const isHidden = typeof apiVersion === 'string' && apiVersion.split('/').length > 2;
  if (typeof kind === 'string' && kind !== '' && !isHidden) return undefined;
  return `Object 'Kind' is missing in '${writePlain(converted).slice(0, MAXIMUM_QUOTED)}'`;
}
