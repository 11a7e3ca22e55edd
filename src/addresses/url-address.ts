/** A host name or IP address without the brackets that URLs put around IPv6 addresses. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** The host and port that an `http` or `https` URL connects to. */
export function addressOfUrl({ hostname, port, protocol }: URL): {
  readonly host: string;
  readonly port: number;
} {
  return { host: withoutBrackets(hostname), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}
