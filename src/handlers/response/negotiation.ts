import { errors } from '../../status/index.ts';

export type Encoding = 'json' | 'yaml' | 'protobuf' | 'cbor';
/** The requested form: the object, its metadata only, or table rows. */
export type Projection = 'object' | 'metadata' | 'metadata-list' | 'table';

export interface Negotiated {
  readonly encoding: Encoding;
  readonly projection: Projection;
  /** Version of the meta group of Table and PartialObjectMetadata: v1 or v1beta1. */
  readonly metaVersion: string;
  /** Content-Type of the response; the neutral spelling if the client used it. */
  readonly contentType: string;
  readonly pretty: boolean;
}

export interface Offer {
  readonly encodings: readonly Encoding[];
  /** The path also serves streams, so their media types are known. */
  readonly streams?: boolean;
  /** Errors have kube-apiserver's form for custom resources. */
  readonly isUntyped?: boolean;
  /** Whether the patterns `*` and `application/*` select JSON. Most endpoints do not accept them. */
  readonly patterns?: boolean;
  /** Encodings of the object itself, if it has fewer than its projections. */
  readonly objectEncodings?: readonly Encoding[];
  /** Projections other than the object itself. */
  readonly projections: readonly Projection[];
}

export const MEDIA_TYPES: Readonly<Record<string, Encoding>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
  'application/vnd.cluster.protobuf': 'protobuf',
  'application/cbor': 'cbor',
};
export const CONTENT_TYPES: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
};
const PROJECTIONS: Readonly<Record<string, Projection>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata-list',
};
/** Limit on parsed Accept clauses; later ones are ignored. */
const MAXIMUM_CLAUSES = 64;

/** One media range of an Accept header. */
export interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/**
 * Negotiates the form of a response. Clauses are tried by descending quality, then in order; `q=0` does not
 * exclude a type.
 * @throws ApiError 406
 */
export function negotiate(accept: string | undefined, offer: Offer): Negotiated {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*')
    return PLAIN;
  const clauses = parseAccept(accept);
  for (const clause of clauses) {
    const chosen = choose(clause, offer);
    if (chosen !== undefined) return chosen;
  }
  if (offer.isUntyped !== true) requireKnownType(clauses, offer);
  throw errors.notAcceptableForm(mediaTypes(offer.encodings));
}

/**
 * Checks that a client accepts a media type of the path, in any form. kube-apiserver checks this before the
 * options of a request, and {@link negotiate} after them; custom resources have the latter only.
 * @throws ApiError 406
 */
export function checkMediaTypes(accept: string | undefined, offer: Offer): void {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return;
  if (offer.isUntyped !== true) requireKnownType(parseAccept(accept), offer);
}

function requireKnownType(clauses: readonly Clause[], offer: Offer): void {
  const known = knownTypes(offer);
  if (!clauses.some(({ type }) => type === '*/*' || known.some((one) => one.split(';', 1)[0] === type)))
    throw errors.notAcceptable(known);
}

const knownTypes = ({ encodings, streams = false }: Offer): string[] => [
  ...mediaTypes(encodings),
  ...(streams ? streamTypes(encodings) : []),
];

const PLAIN: Negotiated = {
  encoding: 'json',
  projection: 'object',
  metaVersion: 'v1',
  contentType: CONTENT_TYPES.json,
  pretty: false,
};

/** Media types of watch streams. */
export function streamTypes(encodings: readonly Encoding[]): string[] {
  return [
    'application/json;stream=watch',
    'application/vnd.kubernetes.protobuf;stream=watch',
    ...(encodings.includes('cbor') ? ['application/cbor-seq'] : []),
  ];
}

export function mediaTypes(encodings: readonly Encoding[]): string[] {
  return encodings.map((encoding) => CONTENT_TYPES[encoding]);
}

function choose({ type, parameters }: Clause, offer: Offer): Negotiated | undefined {
  const isPattern = type === '*/*' || (offer.patterns === true && (type === '*' || type === 'application/*'));
  const encoding = isPattern ? 'json' : Object.hasOwn(MEDIA_TYPES, type) ? MEDIA_TYPES[type] : undefined;
  if (encoding === undefined || !offer.encodings.includes(encoding)) return undefined;
  const stream = parameters.get('stream');
  if (stream !== undefined && stream !== 'watch') return undefined;
  const as = parameters.get('as');
  let projection: Projection = 'object';
  let metaVersion = 'v1';
  if (as !== undefined) {
    const requested = Object.hasOwn(PROJECTIONS, as) ? PROJECTIONS[as]! : undefined;
    const group = parameters.get('g');
    metaVersion = parameters.get('v') ?? '';
    if (
      requested === undefined ||
      !offer.projections.includes(requested) ||
      (group !== 'meta.k8s.io' && group !== 'meta.cluster') ||
      (metaVersion !== 'v1' && metaVersion !== 'v1beta1')
    )
      return undefined;
    projection = requested;
  }
  if (projection === 'object' && offer.objectEncodings?.includes(encoding) === false) return undefined;
  const contentType = type === 'application/vnd.cluster.protobuf' ? type : CONTENT_TYPES[encoding];
  return {
    encoding,
    projection,
    metaVersion,
    contentType,
    pretty: encoding === 'json' && isTrue(parameters.get('pretty')),
  };
}

const isTrue = (value: string | undefined): boolean =>
  value !== undefined && value !== '0' && value !== 'false';

/** Parses the media ranges of an Accept header, ordered by descending quality. */
export function parseAccept(accept: string): Clause[] {
  const clauses = accept
    .split(',', MAXIMUM_CLAUSES)
    .map(parseClause)
    .filter(({ type }) => type !== '');
  return clauses
    .map((clause, index) => ({ clause, index }))
    .sort((a, b) => b.clause.quality - a.clause.quality || a.index - b.index)
    .map(({ clause }) => clause);
}

function parseClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';');
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const part of rest) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    const name = part.slice(0, equals).trim();
    const value = part.slice(equals + 1).trim();
    if (value === '' || value.includes('=')) continue;
    if (name === 'q') quality = Number.parseFloat(value) || (Number(value) === 0 ? 0 : 1);
    else parameters.set(name, value);
  }
  return { type: type.trim(), parameters, quality };
}

/** Encoding of a request body; JSON for an absent media type, undefined for an unknown one. */
export function bodyEncoding(contentType: string | undefined): Encoding | undefined {
  if (contentType === undefined || contentType === '') return 'json';
  if (Object.hasOwn(MEDIA_TYPES, contentType)) return MEDIA_TYPES[contentType];
  const [first = '', ...parameters] = contentType.split(';');
  if (
    parameters.some(
      (parameter) => !/^\s*([\w!#$%&'*+.^`|~-]+\s*=\s*("[^"]*"|[\w!#$%&'*+.^`|~-]+)\s*)?$/.test(parameter),
    ) ||
    parameters.slice(0, -1).some((parameter) => parameter.trim() === '')
  )
    return undefined;
  const type = first.trim().toLowerCase();
  return Object.hasOwn(MEDIA_TYPES, type) ? MEDIA_TYPES[type] : undefined;
}
