/** Why Go cannot parse a URL with `://`; undefined if it can. */
export function urlProblem(url: string): string | undefined {
  const [scheme = '', rest = ''] = url.split(/:\/\/(.*)/s);
  if (!/^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(scheme)) return 'first path segment in URL cannot contain colon';
  const undecodable = escapeProblem(rest);
  if (undecodable !== undefined) return undecodable;
  const authority = /^[^/?#]*/.exec(rest)![0];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const colon = host.lastIndexOf(':');
  // A colon before the bracket belongs to an IPv6 address.
  const port = colon > host.lastIndexOf(']') ? host.slice(colon) : '';
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const odd = /[ "<>\\^`{|}]/.exec(host);
  return odd === null ? undefined : `invalid character ${JSON.stringify(odd[0])} in host name`;
}

/** Whether Go cannot decode a percent-encoded text, in its words. */
export function escapeProblem(text: string): string | undefined {
  const match = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text);
  return match === null ? undefined : `invalid URL escape ${JSON.stringify(match[0])}`;
}
