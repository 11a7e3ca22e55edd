import { BoundedMap } from '../../collections/bounded-map.ts';
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
  /**
   * Whether the patterns `*` and `application/*` are enough. Other endpoints also need a clause with one of
   * their media types or with the pattern for all.
   */
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
 * Negotiates the form of a response. Clauses are tried in the order of {@link parseAccept}; `q=0` does not
 * exclude a type.
 * @throws ApiError 406
 */
export function negotiate(accept: string | undefined, offer: Offer): Negotiated {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*')
    return PLAIN;
  const needsType = offer.isUntyped !== true && offer.patterns !== true;
  for (const clause of parseAccept(accept)) {
    const chosen = choose(clause, offer);
    if (chosen === undefined) continue;
    if (needsType && clause.type.endsWith('/*')) requireKnownType(accept, offer);
    return chosen;
  }
  if (needsType) requireKnownType(accept, offer);
  throw errors.notAcceptableForm(mediaTypes(offer.encodings));
}

/**
 * Checks that a client accepts a media type of the path, in any form. kube-apiserver checks this before the
 * options of a request, and {@link negotiate} after them; custom resources have the latter only.
 * @throws ApiError 406
 */
export function checkMediaTypes(accept: string | undefined, offer: Offer): void {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return;
  if (offer.isUntyped !== true) requireKnownType(accept, offer);
}

function requireKnownType(accept: string, offer: Offer): void {
  const known = knownTypes(offer);
  const isKnown = (type: string): boolean =>
    type === '*/*' ||
    known.includes(type) ||
    (Object.hasOwn(MEDIA_TYPES, type) && offer.encodings.includes(MEDIA_TYPES[type]!));
  const ranges = accept.split(',', MAXIMUM_CLAUSES);
  if (!ranges.some((range) => isKnown(range.split(';', 1)[0]!.trim()))) throw errors.notAcceptable(known);
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

/** The form that a clause selects: the first encoding of the offer that it matches. */
function choose(clause: Clause, offer: Offer): Negotiated | undefined {
  const { type } = clause;
  if (type === '*/*' || type === 'application/*') {
    for (const encoding of offer.encodings) {
      const form = formIn(encoding, clause, offer);
      if (form !== undefined) return form;
    }
    return undefined;
  }
  const encoding = Object.hasOwn(MEDIA_TYPES, type) ? MEDIA_TYPES[type]! : undefined;
  return encoding !== undefined && offer.encodings.includes(encoding)
    ? formIn(encoding, clause, offer)
    : undefined;
}

/** The form of a clause in an encoding; undefined if a parameter excludes it. */
function formIn(encoding: Encoding, { type, parameters }: Clause, offer: Offer): Negotiated | undefined {
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || encoding === 'yaml')) return undefined;
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && (serverVersion !== 'v1' || offer.projections.length === 0)) return undefined;
  const metaVersion = parameters.get('v') ?? '';
  const projects = parameters.has('as') || parameters.has('g') || parameters.has('v');
  const projection = projects ? projectionOf(parameters, metaVersion) : 'object';
  if (projection === undefined) return undefined;
  const isServed =
    projection === 'object'
      ? offer.objectEncodings?.includes(encoding) !== false
      : offer.projections.includes(projection) &&
        (projection !== 'table' || encoding === 'json' || encoding === 'yaml');
  if (!isServed) return undefined;
  return {
    encoding,
    projection,
    metaVersion: projects ? metaVersion : 'v1',
    contentType: type === 'application/vnd.cluster.protobuf' ? type : CONTENT_TYPES[encoding],
    pretty: encoding === 'json' && parameters.get('pretty') === '1',
  };
}

function projectionOf(parameters: ReadonlyMap<string, string>, metaVersion: string): Projection | undefined {
  const [as = '', group] = [parameters.get('as'), parameters.get('g')];
  if (group !== 'meta.k8s.io' && group !== 'meta.cluster') return undefined;
  if (metaVersion !== 'v1' && metaVersion !== 'v1beta1') return undefined;
  return Object.hasOwn(PROJECTIONS, as) ? PROJECTIONS[as] : undefined;
}

/**
 * Parses the media ranges of an Accept header, in the order in which they are tried: each one is moved before
 * preceding ones that have a lower quality or are less specific.
 */
export function parseAccept(accept: string): readonly Clause[] {
  if (accept.length > LONGEST_KNOWN) return parseClauses(accept);
  let clauses = knownHeaders.get(accept);
  if (clauses === undefined) {
    clauses = parseClauses(accept);
    knownHeaders.set(accept, clauses);
  }
  return clauses;
}

/** Clients send the same few headers again and again. */
const knownHeaders = new BoundedMap<string, readonly Clause[]>(128);
/** Characters of a header that is kept. */
const LONGEST_KNOWN = 256;

function parseClauses(accept: string): Clause[] {
  const clauses: Clause[] = [];
  for (const text of accept.split(',', MAXIMUM_CLAUSES)) {
    const clause = parseClause(text);
    if (clause === undefined) continue;
    let place = clauses.length;
    while (place > 0 && precedes(clause, clauses[place - 1]!)) place--;
    clauses.splice(place, 0, clause);
  }
  return clauses;
}

const precedes = (one: Clause, other: Clause): boolean =>
  one.quality > other.quality ||
  (!one.type.startsWith('*/') && other.type.startsWith('*/')) ||
  (!one.type.endsWith('/*') && other.type.endsWith('/*'));

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function parseClause(text: string): Clause | undefined {
  const [range = '', ...rest] = text.trim().split(';');
  const type =
    range.trim() === '*'
      ? '*/*'
      : range
          .split('/')
          .map((part) => part.trim())
          .join('/');
  if (!/^[^/]*\/[^/]+$/.test(type)) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const part of rest) {
    const [name = '', value = '', more = ''] = part.split('=');
    if (value === '' || more !== '') continue;
    if (name.trim() === 'q') quality = DECIMAL.test(value) ? Number(value) : 0;
    else parameters.set(name.trim(), value.trim());
  }
  return { type, parameters, quality };
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
    parameters.slice(0, -1).some((parameter) => parameter.trim() === '') ||
    hasRepeatedName(parameters)
  )
    return undefined;
  const type = first.trim().toLowerCase();
  return Object.hasOwn(MEDIA_TYPES, type) ? MEDIA_TYPES[type] : undefined;
}

function hasRepeatedName(parameters: readonly string[]): boolean {
  if (parameters.length < 2) return false;
  const names = parameters.map((parameter) => parameter.split('=', 1)[0]!.trim().toLowerCase());
  return new Set(names).size < names.length;
}
