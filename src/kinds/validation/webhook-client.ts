import type {
  ServiceReference,
  WebhookClientConfig,
} from '../../model/generated/admissionregistration-v1.ts';
import { dns1123Subdomain, portNumber } from '../../model/name-syntax.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { SCHEME, urlError } from './url-error.ts';

const FORM = '; desired format: https://host[/path]';
const DEFAULT_PORT = 443;

export function setWebhookClientDefaults(client: WebhookClientConfig | undefined): void {
  if (client?.service !== undefined) client.service.port ??= DEFAULT_PORT;
}

export function validateWebhookClient(
  { url, service }: WebhookClientConfig = {},
  field: string,
): FieldError[] {
  if ((url === undefined) === (service === undefined))
    return [required(field, 'exactly one of url or service is required')];
  return url === undefined
    ? validateWebhookService(service!, `${field}.service`)
    : validateWebhookUrl(url, `${field}.url`);
}

/** Splits a URL into scheme, authority, query and fragment; absent parts are empty. */
function urlParts(url: string): { scheme: string; authority: string; query: string; fragment: string } {
  const [beforeFragment, fragment] = splitAt(url, url.indexOf('#'));
  const [beforeQuery, query] = splitAt(beforeFragment, beforeFragment.indexOf('?'));
  const scheme = SCHEME.exec(beforeQuery)?.[1] ?? '';
  const rest = scheme === '' ? beforeQuery : beforeQuery.slice(scheme.length + 1);
  return {
    scheme: scheme.toLowerCase(),
    authority: rest.startsWith('//') ? rest.slice(2).split('/', 1)[0]! : '',
    query,
    fragment,
  };
}

/** Splits a text around the character at `place`; returns the whole text first when the place is negative. */
const splitAt = (text: string, place: number): [string, string] =>
  place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];

function validateWebhookUrl(url: string, field: string): FieldError[] {
  const unreadable = urlError(url);
  if (unreadable !== undefined) return [required(field, `url must be a valid URL: ${unreadable}${FORM}`)];
  const { scheme, authority, query, fragment } = urlParts(url);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  return [
    ...(scheme === 'https' ? [] : [invalid(field, scheme, `'https' is the only allowed URL scheme${FORM}`)]),
    ...(host === '' ? [invalid(field, host, `host must be specified${FORM}`)] : []),
    ...(at < 0
      ? []
      : [invalid(field, authority.slice(0, at), 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(field, query, 'query parameters are not permitted in the URL')]),
  ];
}

function validateWebhookService(
  { name, namespace, path, port = 0 }: ServiceReference,
  field: string,
): FieldError[] {
  const portTexts = portNumber(port);
  return [
    // kube-apiserver confuses the two: it reports a missing name as a missing namespace, and the reverse.
    ...(name ? [] : [required(`${field}.namespace`, 'service namespace is required')]),
    ...(namespace ? [] : [required(`${field}.name`, 'service name is required')]),
    ...(portTexts.length === 0
      ? []
      : [invalid(`${field}.port`, port, `port is not valid: ${portTexts.join(',')}`)]),
    ...(path ? validateWebhookPath(path, `${field}.path`) : []),
  ];
}

/** Validates an absolute path of subdomains; one trailing slash is valid. */
function validateWebhookPath(path: string, field: string): FieldError[] {
  const reject = (text: string): FieldError => invalid(field, path, text);
  if (path === '/') return [];
  if (path === '//') return [reject('segment[0] may not be empty')];
  const rest = path.slice(1);
  const segments = (rest.endsWith('/') ? rest.slice(0, -1) : rest).split('/');
  return [
    ...(path.startsWith('/') ? [] : [reject("must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      segment === ''
        ? [reject(`segment[${index}] may not be empty`)]
        : dns1123Subdomain(segment).map((text) => reject(`segment[${index}]: ${text}`)),
    ),
  ];
}
