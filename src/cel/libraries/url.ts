import { firstOnce } from '../cost/runtime.ts';
import { ErrorValue } from '../values/error-value.ts';
import { ArrayList } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { OpaqueValue } from '../values/opaque.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction } from './function.ts';
import { escapedPath, hostnameOf, type ParsedUrl, parseUrl, portOf, queryOf } from './url-parser.ts';

/** A value of type `kubernetes.URL`. */
export class UrlValue extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';
  readonly parsed: ParsedUrl;
  readonly text: string;

  constructor(text: string, parsed: ParsedUrl) {
    super();
    this.text = text;
    this.parsed = parsed;
  }

  equals(other: Value): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

const get = (name: string, id: string, read: (url: ParsedUrl) => Value): CelFunction => ({
  name,
  overloads: [{ id, arguments: ['kubernetes.URL'], invoke: (_frame, url) => read((url as UrlValue).parsed) }],
});

/** URLs: absolute URIs and absolute paths. */
export const URLS: readonly CelFunction[] = [
  {
    name: 'url',
    cost: firstOnce,
    overloads: [
      {
        id: 'string_to_url',
        arguments: ['string'],
        invoke: (_frame, text) => {
          const parsed = parseUrl(text as string);
          if (typeof parsed === 'string')
            return new ErrorValue(`URL parse error during conversion from string: ${parsed}`);
          return new UrlValue(text as string, parsed);
        },
      },
    ],
  },
  {
    name: 'isURL',
    overloads: [
      {
        id: 'is_url_string',
        arguments: ['string'],
        invoke: (_frame, text) => typeof parseUrl(text as string) !== 'string',
      },
    ],
  },
  get('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
  get('getHost', 'url_get_host', ({ host }) => host),
  get('getHostname', 'url_get_hostname', ({ host }) => hostnameOf(host)),
  get('getPort', 'url_get_port', ({ host }) => portOf(host)),
  get('getEscapedPath', 'url_get_escaped_path', ({ path }) => escapedPath(path)),
  get(
    'getQuery',
    'url_get_query',
    ({ query }) =>
      EntriesMap.of(Array.from(queryOf(query), ([name, values]) => [name, new ArrayList(values)] as const))!,
  ),
];
