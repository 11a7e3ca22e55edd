/** Maximum characters of a server's own words that an error repeats. */
const MAXIMUM_QUOTED = 2048;

/** Error messages of client-go, which operators search for. */
const STATUS_TEXTS: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [
    504,
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
]);

/** Statuses for which the server's own words are the message. */
const OWN_WORDS = new Set([403, 406, 415]);

/**
 * The error message for a response outside 2xx whose body is no Status.
 * @param content the body if it is text, else `unknown`
 */
export function statusText(status: number, content: string): string {
  const quoted = content.slice(0, MAXIMUM_QUOTED).trim();
  if (status === 406 && (quoted === '' || quoted === 'unknown'))
    return 'the server was unable to respond with a content type that the client supports';
  if (OWN_WORDS.has(status)) return quoted;
  return (
    STATUS_TEXTS.get(status) ??
    (status >= 500
      ? `an error on the server (${JSON.stringify(quoted)}) has prevented the request from succeeding`
      : `the server responded with the status code ${status} but did not return more information`)
  );
}
