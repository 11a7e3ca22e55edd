import { createHttpClient, OutboundError, type RequestBounds } from './http-client.ts';

/** Redirects that are followed for one document. */
const MAXIMUM_REDIRECTS = 5;

export interface FetchOptions extends RequestBounds {
  /** PEM of the authorities that servers' certificates are checked with; undefined: those of the system. */
  readonly caBundle?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The text of a document at an `https` URL, redirects to other such URLs followed. Rejects with
 * OutboundError.
 */
export async function fetchText(url: string, options: FetchOptions): Promise<string> {
  let target = url;
  for (let redirects = 0; redirects <= MAXIMUM_REDIRECTS; redirects++) {
    if (!URL.canParse(target) || new URL(target).protocol !== 'https:')
      throw new OutboundError(`GET ${target}: the URL scheme must be https`);
    const { origin, pathname, search } = new URL(target);
    const client = createHttpClient(
      { server: origin, ...(options.caBundle === undefined ? {} : { caBundle: options.caBundle }) },
      options,
    );
    try {
      // What is sent along is meant for the first server alone.
      const headers = { accept: 'application/json, */*', ...(redirects === 0 ? options.headers : {}) };
      const {
        status,
        headers: given,
        body,
      } = await client.send({ method: 'GET', path: `${pathname}${search}`, headers });
      if (status >= 200 && status < 300) return body.toString('utf8');
      if (![301, 302, 303, 307, 308].includes(status) || given.location === undefined)
        throw new OutboundError(`GET ${target}: answered ${status}`);
      target = URL.canParse(given.location, target) ? new URL(given.location, target).href : '';
    } finally {
      client.close();
    }
  }
  throw new OutboundError(`GET ${url}: more than ${MAXIMUM_REDIRECTS} redirects`);
}

/** The JSON object at an `https` URL. Rejects with OutboundError. */
export async function fetchJson(
  url: string,
  options: FetchOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await fetchText(url, options);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below; the text of the fault could repeat a part of the answer.
  }
  throw new OutboundError(`GET ${url}: answered something that is no JSON object`);
}
