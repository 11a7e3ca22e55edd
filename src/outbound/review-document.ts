import { parseJson, parsingJson } from '../codec/json-parse.ts';
import { scanJson } from '../codec/json-scan.ts';
import { TooManyPartsError } from '../codec/parts.ts';
import { notAnObject, type TypeMeta, typeMetaOf } from '../codec/type-meta.ts';
import { BinnacleError } from '../errors/binnacle-error.ts';
import { runInBackground } from '../steps/run.ts';
import { stepSizes } from '../steps/sizes.ts';

/** A parsed response: an object, not yet checked. */
export type ReviewDocument = Readonly<Record<string, unknown>>;

/** Maximum members and items of a response; each becomes a value in memory. */
const MAXIMUM_PARTS = 1_000_000;
/** Maximum bytes of a YAML response: parsing YAML cannot yield to other requests. */
const MAXIMUM_YAML_BYTES = 64 * 1024;

/** A response is not a review. */
export class ReviewDocumentError extends BinnacleError {
  readonly code = 'ERR_BINNACLE_REVIEW_DOCUMENT';
  override name = 'ReviewDocumentError';
}

const failed = (text: string): ReviewDocumentError =>
  new ReviewDocumentError(`couldn't get version/kind; json parse error: ${text}`);

/**
 * Parses the body of a response, JSON or YAML whatever its content type says, in steps that leave the event
 * loop to others. Rejects with ReviewDocumentError with kube-apiserver's texts.
 */
export async function parseReview(body: Uint8Array): Promise<ReviewDocument> {
  const value = await parse(body);
  if (value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as ReviewDocument;
  throw failed(notAnObject(value));
}

async function parse(body: Uint8Array): Promise<unknown> {
  const first = body.find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
  try {
    if (first !== 0x7b && body.length <= MAXIMUM_YAML_BYTES)
      return (await import('../codec/yaml-parse.ts')).parseYaml(body).value;
    if (body.length <= stepSizes.bytes && scanJson(body).parts <= stepSizes.values)
      return parseJson(body).value;
    return (await runInBackground(parsingJson(body, MAXIMUM_PARTS))).value;
  } catch (error) {
    if (error instanceof TooManyPartsError)
      throw new ReviewDocumentError(`the response has more than ${MAXIMUM_PARTS} values`);
    throw failed((error as Error).message);
  }
}

/** A kind of review in the versions that this server knows. */
export interface ReviewKind {
  readonly group: string;
  readonly kind: string;
  /** For example `v1` and `v1beta1`. */
  readonly versions: readonly string[];
  /** Kinds that client-go knows in these versions besides those of every group. */
  readonly others?: readonly string[];
}

/** Kinds that client-go knows in any version of any group. */
const UNVERSIONED_KINDS = ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList'];
/** Kinds that client-go knows in each version of the groups that it decodes. */
const COMMON_KINDS = [
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
];

/** Formats an apiVersion and a kind like Go: `apps/v1, Kind=Deployment`, and `/, Kind=` for none. */
export const formatGroupVersionKind = (apiVersion: string, kind: string): string =>
  `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;

/**
 * Checks that a response may be decoded as a review of the version sent. A response without apiVersion and
 * kind passes; v1 requires its caller to check for them.
 * @throws ReviewDocumentError with kube-apiserver's texts
 */
export function checkReviewKind(document: ReviewDocument, review: ReviewKind, sent: string): void {
  const named = typeOf(document);
  const apiVersion = named.apiVersion || `${review.group}/${sent}`;
  const kind = named.kind || review.kind;
  const from = packageOf(review, apiVersion, kind);
  if (from === undefined)
    throw new ReviewDocumentError(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`,
    );
  if (kind !== review.kind || from !== sent)
    throw new ReviewDocumentError(
      `converting (${from}.${kind}) to (${sent}.${review.kind}): unknown conversion`,
    );
}

/** The Go package of a kind that client-go knows: `v1` of the common kinds, or the version. */
function packageOf(
  { group, kind: own, versions, others = [] }: ReviewKind,
  apiVersion: string,
  kind: string,
): string | undefined {
  if (UNVERSIONED_KINDS.includes(kind)) return 'v1';
  const version = versions.find((known) => `${group}/${known}` === apiVersion);
  if (version === undefined) return undefined;
  if (COMMON_KINDS.includes(kind)) return 'v1';
  return kind === own || others.includes(kind) ? version : undefined;
}

function typeOf(document: ReviewDocument): TypeMeta {
  try {
    return typeMetaOf(document);
  } catch (error) {
    throw failed((error as Error).message);
  }
}
