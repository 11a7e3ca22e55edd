import { constants } from 'node:crypto';
import {
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContext,
  type SecureContextOptions,
  type SecureVersion,
} from 'node:tls';

/** A certificate for clients that request one of `names` by SNI; a name may begin with `*.`. */
export interface SniCertificate {
  readonly names: readonly string[];
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
}

/** Options that can be changed while the listener runs. */
export interface CertificateOptions {
  readonly key: string | Buffer;
  /** The serving certificate, followed by its intermediates. */
  readonly cert: string | Buffer;
  /**
   * Certificate authorities (PEM) whose names are sent in the certificate request: clients select their certificate
   * by them. Certificates are not verified here.
   */
  readonly clientAuthorities?: readonly (string | Buffer)[];
  readonly sniCertificates?: readonly SniCertificate[];
}

/** Values of the flags `--tls-min-version` and `--tls-cipher-suites`. */
export interface TlsPolicy {
  /** `VersionTLS10` to `VersionTLS13`; `VersionTLS12` unless given. */
  readonly tlsMinVersion?: string;
  /** IANA names. TLS 1.3 suites can't be restricted, as in kube-apiserver. */
  readonly tlsCipherSuites?: readonly string[];
}

const versions: Readonly<Record<string, SecureVersion>> = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

const tls13Suites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** The suites without a flag. AES-128 comes first, as in kube-apiserver: it costs the least. */
const defaultSuites = [
  ...tls13Suites,
  ...DEFAULT_CIPHERS.split(':').filter((suite) => !tls13Suites.includes(suite)),
].join(':');

/** Maps IANA names to OpenSSL's; null for a suite that the flag accepts but OpenSSL no longer supports. */
const cipherSuites: Readonly<Record<string, string | null>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_RC4_128_SHA: null,
  TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA: null,
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_RC4_128_SHA: null,
  TLS_RSA_WITH_3DES_EDE_CBC_SHA: null,
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_RSA_WITH_RC4_128_SHA: null,
};

/**
 * Returns the OpenSSL settings of a policy.
 * @throws Error naming an unknown version or suite
 */
export function secureContextPolicy(policy: TlsPolicy): SecureContextOptions {
  const version = policy.tlsMinVersion || 'VersionTLS12';
  if (!Object.hasOwn(versions, version)) throw new Error(`unknown tls version "${version}"`);
  const chosen: string[] = [...tls13Suites];
  for (const name of policy.tlsCipherSuites ?? []) {
    if (tls13Suites.includes(name)) continue;
    if (!Object.hasOwn(cipherSuites, name))
      throw new Error(`Cipher suite ${name} not supported or doesn't exist`);
    const cipher = cipherSuites[name];
    if (cipher) chosen.push(cipher);
  }
  return {
    minVersion: versions[version]!,
    ciphers: policy.tlsCipherSuites?.length ? chosen.join(':') : defaultSuites,
    honorCipherOrder: true,
    // A resumed session would have the client's leaf certificate without its intermediates, and outlive a
    // change of the CA bundle.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** Options for tls.createServer and createSecureContext: one certificate under a policy. */
export function certificateContext(
  policy: SecureContextOptions,
  options: CertificateOptions,
): SecureContextOptions {
  const { clientAuthorities } = options;
  return {
    ...policy,
    key: options.key,
    cert: options.cert,
    ...(clientAuthorities === undefined ? {} : { ca: [...clientAuthorities] }),
  };
}

/** Finds the context for a server name; exact names take precedence over wildcards, which match one label. */
export class SniContexts {
  readonly #byName = new Map<string, SecureContext>();

  constructor(policy: SecureContextOptions, options: CertificateOptions) {
    for (const certificate of options.sniCertificates ?? []) {
      const context = createSecureContext(certificateContext(policy, { ...options, ...certificate }));
      // The first certificate for a name takes precedence.
      for (const name of certificate.names)
        if (!this.#byName.has(name.toLowerCase())) this.#byName.set(name.toLowerCase(), context);
    }
  }

  find(serverName: string): SecureContext | undefined {
    const name = serverName.toLowerCase().replace(/\.$/, '');
    return this.#byName.get(name) ?? this.#byName.get(`*${name.slice(name.indexOf('.') >>> 0)}`);
  }
}
