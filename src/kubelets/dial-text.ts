import type { OutboundError } from '../outbound/outbound-error.ts';

const DIALLING =
  /^(?:dial |lookup |proxy error |reading HTTP response from CONNECT )|tls: |x509: |TLS handshake/;

/** The text of a connection that did not change its protocol: failures to connect are named, as in kube-apiserver. */
export const upgradeFailure = ({ text }: OutboundError): string =>
  DIALLING.test(text) ? `error dialing backend: ${text}` : text;
