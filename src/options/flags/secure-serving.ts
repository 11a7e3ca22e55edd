import { address, bool, integer, list, noEffect, repeated, text } from './flag.ts';

export const SECURE_SERVING = {
  bindAddress: address('127.0.0.1', 'Address to listen on. 0.0.0.0 or :: listens on every interface.'),
  certDir: text(
    '',
    'Directory of the generated certificates (used unless --tls-cert-file is given). Default: pki in the data directory.',
  ),
  disableHttp2Serving: bool(false, 'Serve HTTP/1.1 only.'),
  http2MaxStreamsPerConnection: integer(
    0,
    'Maximum number of concurrent streams of one HTTP/2 connection; 0 means the built-in limit.',
  ),
  permitAddressSharing: bool(
    false,
    'Bind with SO_REUSEADDR (Node.js always does).',
    noEffect('Node.js always binds with SO_REUSEADDR'),
  ),
  permitPortSharing: bool(false, 'Bind with SO_REUSEPORT.', {
    effect: 'refused',
    because: 'several servers cannot share a port',
  }),
  securePort: integer(
    6443,
    'Port for HTTPS. Without the flag, the next free port is used if this one is in use.',
  ),
  tlsCertFile: text(
    '',
    'Serving certificate, followed by its chain. Default: one is generated and stored in --cert-dir.',
  ),
  tlsCipherSuites: list(
    [],
    'Cipher suites up to TLS 1.2, by their IANA names. TLS 1.3 suites are not configurable.',
  ),
  tlsMinVersion: text(
    '',
    'Lowest TLS version: VersionTLS10, VersionTLS11, VersionTLS12 (default) or VersionTLS13.',
  ),
  tlsPrivateKeyFile: text('', 'Private key of --tls-cert-file.'),
  tlsSniCertKey: repeated(
    [],
    'Further certificate and key, as cert.pem,key.pem[:names]; chosen by the server name (SNI) of the client. Repeatable.',
    {
      placeholder: 'namedCertKey',
    },
  ),
};
