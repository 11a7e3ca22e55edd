import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDocuments } from '../../../src/options/documents/check.ts';
import { readEgressFile } from '../../../src/options/documents/egress.ts';
import { readTracingFile } from '../../../src/options/documents/tracing.ts';
import type { FlagValues } from '../../../src/options/flags/table.ts';
import { temporaryDirectory } from '../fixtures.ts';

/** A file with an object as JSON, or with a text. */
function file(content: object | string): string {
  const name = join(temporaryDirectory(), 'document');
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}
const SCHEME = 'in scheme "pkg/runtime/scheme.go:100"';

describe('egress selector file', () => {
  const egress = (...names: string[]) => ({
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: names.map((name) => ({ name, connection: { proxyProtocol: 'Direct' } })),
  });

  const through = (connection: object) => ({
    ...egress(),
    egressSelections: [{ name: 'cluster', connection }],
  });
  const http = (transport: object | undefined) => through({ proxyProtocol: 'HTTPConnect', transport });

  it('names the proxies', () => {
    const selections = [
      { name: 'Cluster', connection: { proxyProtocol: 'Direct' } },
      { name: 'etcd', connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: '/s' } } } },
      {
        name: 'master',
        connection: { proxyProtocol: 'HTTPConnect', transport: { tcp: { url: 'http://p:3128' } } },
      },
    ];
    expect(readEgressFile(file({ ...egress(), egressSelections: selections }))).toEqual([
      { name: 'etcd', socket: '/s' },
      { name: 'controlplane', url: 'http://p:3128' },
    ]);
  });

  it.each([
    [egress('cluster', 'controlplane', 'etcd')],
    [egress()],
    [egress('master')],
    ['apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\n'],
  ])('is accepted: %j', (content) => {
    expect(() => readEgressFile(file(content))).not.toThrow();
  });

  const validation = 'failed to validate egress selector configuration: service.connection';
  it.each<[object | string, string]>([
    [
      { ...egress(), apiVersion: 'apiserver.k8s.io/v9' },
      `failed to read egress selector config: no kind "EgressSelectorConfiguration" is registered for version "apiserver.k8s.io/v9" ${SCHEME}`,
    ],
    [
      { ...egress(), nonsense: 1 },
      'failed to read egress selector config: strict decoding error: unknown field "nonsense"',
    ],
    [
      egress('moon'),
      `${validation}: Unsupported value: "moon": supported values: "cluster", "controlplane", "etcd"`,
    ],
    [egress('cluster', 'cluster'), `${validation}[1]: Duplicate value: "cluster"`],
    [egress('master', 'controlplane'), `${validation}[1]: Duplicate value: "controlplane"`],
    [
      { ...egress(), egressSelections: [{ name: 'cluster', connection: { proxyProtocol: 'GRPC' } }] },
      `${validation}.transport: Required value: transport must be set for GRPC`,
    ],
    [
      through({ proxyProtocol: 'GRPC', transport: { uds: { udsName: '/s' } } }),
      `${validation}.protocol: Forbidden: GRPC proxies are not supported by this server; use HTTPConnect over the same Unix socket`,
    ],
    [
      through({ proxyProtocol: 'GRPC', transport: { tcp: { url: 'http://a' } } }),
      `${validation}.uds: Required value: UDS must be set with GRPC`,
    ],
    [
      through({ proxyProtocol: 'Direct', transport: {} }),
      `${validation}.transport: Invalid value: "direct": Transport config should be absent for direct connect`,
    ],
    [
      through({ proxyProtocol: 'http-connect' }),
      `${validation}.protocol: Unsupported value: "http-connect": supported values: "Direct", "HTTPConnect", "GRPC"`,
    ],
    [http(undefined), `${validation}.transport: Required value: transport must be set for HTTPConnect`],
    [http({}), `${validation}.tcp: Required value: One of TCP or UDS must be set`],
    [
      http({ uds: {} }),
      `${validation}.udsName: Invalid value: "nil": UDSName should be present for UDS connections`,
    ],
    [
      http({ tcp: { url: 'socks5://a' } }),
      `${validation}.url: Invalid value: "socks5://a": supported connection protocols are http:// and https://`,
    ],
    [
      http({ tcp: { url: 'http://a', tlsConfig: {} } }),
      `${validation}.tlsConfig: Invalid value: "nil": TLSConfig config should not be present when using HTTP`,
    ],
    [
      http({ tcp: { url: 'https://a' } }),
      `${validation}.tlsConfig: Required value: TLSConfig must be present when using HTTPS`,
    ],
    [
      http({ tcp: { url: 'https://a', tlsConfig: { caBundle: '/absent', clientKey: '/absent' } } }),
      `failed to validate egress selector configuration: [${[
        'caBundle: Invalid value: "/absent": TLS config ca bundle does not exist',
        'clientCert: Invalid value: "nil": Using TLS requires clientCert',
        'clientKey: Invalid value: "/absent": TLS client key does not exist',
      ]
        .map((text) => `service.connection.tlsConfig.${text}`)
        .join(', ')}]`,
    ],
    [
      { kind: 'EgressSelectorConfiguration' },
      `failed to read egress selector config: Object 'apiVersion' is missing in '{"kind":"EgressSelectorConfiguration"}'`,
    ],
    ['', "failed to read egress selector config: Object 'Kind' is missing in ''"],
  ])('%j is refused', (content, message) => {
    expect(() => readEgressFile(file(content))).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message }),
    );
  });
});

describe('tracing file', () => {
  const TRACING = { apiVersion: 'apiserver.config.k8s.io/v1beta1', kind: 'TracingConfiguration' };

  it('has defaults', () => {
    expect(readTracingFile(file(TRACING))).toEqual({ endpoint: 'localhost:4317', samplingRatePerMillion: 0 });
    expect(
      readTracingFile(
        file({
          ...TRACING,
          apiVersion: 'apiserver.config.k8s.io/v1alpha1',
          endpoint: 'dns://collector:4317',
          samplingRatePerMillion: 10,
        }),
      ),
    ).toEqual({ endpoint: 'dns://collector:4317', samplingRatePerMillion: 10 });
  });

  it.each(['', '# nothing\n', 'null', 'kind: TracingConfiguration', 'apiVersion: apiserver.config.k8s.io/'])(
    'needs neither kind nor apiVersion: %j',
    (text) => {
      expect(readTracingFile(file(text))).toEqual({ endpoint: 'localhost:4317', samplingRatePerMillion: 0 });
    },
  );

  it.each(['localhost', ':4317', '[::1]:4317', 'DNS:///a:1', 'unix:///run/a.sock', ''])(
    'takes the endpoint %j',
    (endpoint) => {
      const read = readTracingFile(file({ ...TRACING, endpoint }));
      expect(read.endpoint).toBe(endpoint || 'localhost:4317');
    },
  );

  const validation = 'failed to validate tracing configuration:';
  it.each([
    ['unix:a', 'dns://unix:a', 'invalid port ":a" after host'],
    ['a b:1', 'dns://a b:1', 'invalid character " " in host name'],
    ['%zz:1', 'dns://%zz:1', 'invalid URL escape "%zz"'],
  ])('does not take the endpoint %j', (endpoint, url, problem) => {
    expect(() => readTracingFile(file({ ...TRACING, endpoint }))).toThrow(
      `${validation} endpoint: Invalid value: "${url}": parse "${url}": ${problem}`,
    );
  });

  const decoding = 'failed to read tracing config: unable to decode tracing configuration data:';
  it.each<[object, string]>([
    [
      { samplingRatePerMillion: -1 },
      `${validation} samplingRatePerMillion: Invalid value: -1: sampling rate must be positive`,
    ],
    [
      { samplingRatePerMillion: 1_000_001 },
      `${validation} samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million`,
    ],
    [
      { samplingRatePerMillion: 'all' },
      `${decoding} json: cannot unmarshal string into Go struct field TracingConfiguration.samplingRatePerMillion of type int32`,
    ],
    [
      { endpoint: 'dn%2s://localhost:4317' },
      `${validation} endpoint: Invalid value: "dn%2s://localhost:4317": parse "dn%2s://localhost:4317": first path segment in URL cannot contain colon`,
    ],
    [
      { endpoint: 'http://localhost:4317' },
      `${validation} endpoint: Invalid value: "http://localhost:4317": unsupported scheme: http.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`,
    ],
    [{ nonsense: 1 }, `${decoding} strict decoding error: unknown field "nonsense"`],
    [
      { kind: 'Other' },
      `${decoding} no kind "Other" is registered for version "apiserver.config.k8s.io/v1beta1" ${SCHEME}`,
    ],
  ])('%j is refused', (members, message) => {
    expect(() => readTracingFile(file({ ...TRACING, ...members }))).toThrow(
      expect.objectContaining({ message }),
    );
  });

  it('is rejected if it does not exist', () => {
    expect(() => readTracingFile('/absent')).toThrow(
      'failed to read tracing config: unable to read tracing configuration from "/absent": open /absent: no such file or directory',
    );
  });

  it('is named in errors, with its flag', async () => {
    const flags = { auditPolicyFile: '', egressSelectorConfigFile: '', tracingConfigFile: '' } as FlagValues;
    const name = file({ ...TRACING, nonsense: 1 });
    await expect(checkDocuments({ ...flags, tracingConfigFile: name })).rejects.toThrow(
      `unknown field "nonsense" (--tracing-config-file=${name})`,
    );
  });

  it('is only checked if the flag is set', async () => {
    const flags = { auditPolicyFile: '', egressSelectorConfigFile: '', tracingConfigFile: '' } as FlagValues;
    await expect(checkDocuments(flags)).resolves.toBeUndefined();
    await expect(checkDocuments({ ...flags, tracingConfigFile: '/absent' })).rejects.toThrow(
      'failed to read tracing config',
    );
    await expect(checkDocuments({ ...flags, egressSelectorConfigFile: '/absent' })).rejects.toThrow(
      'no such file',
    );
  });
});
