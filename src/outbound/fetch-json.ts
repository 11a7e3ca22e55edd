import { isJsonObject } from '../model/json-object.ts';
import { createHttpClient, type RequestBounds } from './http-client.ts';
import { OutboundClient } from './outbound-client.ts';
import { OutboundError } from './outbound-error.ts';

/** Redirects followed for one document. */
const MAXIMUM_REDIRECTS = 5;

export interface FetchOptions extends RequestBounds {
  /** CA bundle that verifies the servers' certificates, PEM; undefined: the system's CAs. */
  readonly caBundle?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Fetches a document from an `https` URL and follows redirects to other `https` URLs. It connects directly, as
 * kube-apiserver does to token issuers. Rejects with OutboundError.
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
      new OutboundClient(),
    );
    try {
      // Only the first server gets the headers: they may carry credentials.
      const headers = { accept: 'application/json, */*', ...(redirects === 0 ? options.headers : {}) };
      const {
        status,
        headers: received,
        body,
      } = await client.send({ method: 'GET', path: `${pathname}${search}`, headers });
      if (status >= 200 && status < 300) return body.toString('utf8');
      if (![301, 302, 303, 307, 308].includes(status) || received.location === undefined)
        throw new OutboundError(`GET ${target}: unexpected status ${status}`);
      target = URL.canParse(received.location, target) ? new URL(received.location, target).href : '';
    } finally {
      client.close();
    }
  }
  throw new OutboundError(`GET ${url}: more than ${MAXIMUM_REDIRECTS} redirects`);
}

/** Fetches a JSON object from an `https` URL. Rejects with OutboundError. */
export async function fetchJson(
  url: string,
  options: FetchOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await fetchText(url, options);
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Reported below; the parser's message could quote the response.
  }
  throw new OutboundError(`GET ${url}: the response is not a JSON object`);
}
