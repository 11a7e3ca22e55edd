const FORMAT =
  '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated';

/** The servers of one resource (`--etcd-servers-overrides`). */
export interface ServersOverride {
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

/**
 * Parses `group/resource#servers`, where servers are URLs separated by semicolons.
 * @throws Error with kube-apiserver's text
 */
export function parseOverride(text: string): ServersOverride {
  const parts = text.split('#');
  const names = parts[0]!.split('/');
  if (parts.length !== 2 || names.length !== 2 || names[1] === '') throw new Error(FORMAT);
  return { group: names[0]!, resource: names[1]!, servers: parts[1]!.split(';') };
}

/** Whether a text is an `http` or `https` URL, or `host:port`. */
export function isServer(text: string): boolean {
  const url = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
