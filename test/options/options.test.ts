import { describe, expect, it } from 'vitest';
import { formatRange } from '../../src/addresses/range.ts';
import { loadScheme } from '../../src/model/scheme.ts';
import { configure, type ServerOptions } from '../../src/options/options.ts';
import { configuration, SELECTABLE } from './fixtures.ts';

describe('options', () => {
  it('may be empty', () => {
    const { values, given, ...rest } = configuration();
    expect([...given]).toEqual(['advertiseAddress']);
    expect(values).toMatchObject({
      bindAddress: '127.0.0.1',
      securePort: 6443,
      requestTimeout: 60_000,
      controllers: ['*'],
    });
    expect(rest).toMatchObject({
      storageBackend: 'embedded',
      authorizationModes: ['RBAC'],
      serviceAccountIssuers: ['https://kubernetes.default.svc.cluster.local'],
      apiAudiences: ['https://kubernetes.default.svc.cluster.local'],
      certificateDirectory: '.binnacle/pki',
      storageDirectory: '.binnacle/store',
      kubeconfigFile: '.binnacle/kubeconfig',
      warnings: [],
    });
    expect(rest.serviceRanges.map(formatRange)).toEqual(['10.0.0.0/24']);
  });

  it.each([
    [{}, '.binnacle/kubeconfig'],
    [{ kubeconfigOut: 'a/kubeconfig' }, 'a/kubeconfig'],
    [{ kubeconfigOut: '' }, undefined],
    [{ storageBackend: 'memory' }, undefined],
    [{ storageBackend: 'memory', kubeconfigOut: 'a' }, 'a'],
    [{ storageBackend: 'memory', kubeconfigOut: '' }, undefined],
  ])('%j: the kubeconfig is %j', (options, file) => {
    expect(configuration(options).kubeconfigFile).toBe(file);
  });

  it('warn of values that are probably a mistake', () => {
    const { warnings } = configuration({
      requestheaderUsernameHeaders: ['X-Remote-User', 'a'],
      requestheaderGroupHeaders: ['a'],
      requestheaderExtraHeadersPrefix: ['x-remote-extra-'],
      serviceAccountMaxTokenExpiration: 3_600_000,
    });
    expect(warnings).toEqual([
      '--requestheader-group-headers is set without specifying the standard X-Remote-Group header - API aggregation will not work',
      'service-account-extend-token-expiration is true, in order to correctly trigger safe transition logic, service-account-max-token-expiration must be set longer than 3607 seconds (currently 1h0m0s)',
      'service-account-extend-token-expiration is true, enabling tokens valid up to 31536000 seconds, which is longer than service-account-max-token-expiration set to 1h0m0s',
    ]);
  });

  it('take what kube-apiserver takes as the default', () => {
    const taken = configuration({
      authorizationMode: [],
      storageMediaType: '',
      http2MaxStreamsPerConnection: -1,
      leaseReuseDurationSeconds: -1,
    });
    expect(taken.authorizationModes).toEqual(['RBAC']);
  });

  it('treat undefined as absent', () => {
    expect(configuration({ securePort: undefined, authorizationMode: undefined }).values.securePort).toBe(
      6443,
    );
  });

  it('choose an advertise address of the right family', () => {
    expect(configure({}, SELECTABLE).advertiseAddress).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(configure({ serviceClusterIpRange: 'fd00:96::/112' }, SELECTABLE).advertiseAddress).toContain(':');
    expect(configure({ bindAddress: '192.0.2.7' }, SELECTABLE).advertiseAddress).toBe('192.0.2.7');
  });

  it('select admission plugins, in order', () => {
    const plugins = (options: ServerOptions) => configuration(options).admissionPlugins;
    expect(plugins({})).toContain('LimitRanger');
    expect(plugins({})).not.toContain('AlwaysPullImages');
    expect(
      plugins({
        enableAdmissionPlugins: ['NodeRestriction', 'AlwaysPullImages'],
        disableAdmissionPlugins: ['LimitRanger'],
      }).slice(0, 5),
    ).toEqual([
      'NamespaceLifecycle',
      'ServiceAccount',
      'NodeRestriction',
      'TaintNodesByCondition',
      'AlwaysPullImages',
    ]);
    expect(plugins({ admissionControl: ['ResourceQuota', 'LimitRanger'] })).toEqual([
      'LimitRanger',
      'ResourceQuota',
    ]);
  });

  it('warns of each flag without effect', () => {
    const { warnings } = configure(
      { kubeletReadOnlyPort: 1000, maxConnectionBytesPerSec: 5, securePort: 0 },
      SELECTABLE,
    );
    expect(warnings).toEqual([
      expect.stringContaining(
        'Flag --kubelet-read-only-port is accepted but has no effect: kube-apiserver 1.32 connects',
      ),
      expect.stringContaining(
        'Flag --max-connection-bytes-per-sec is accepted but has no effect: streams of',
      ),
    ]);
  });

  it.each([
    [{}, true],
    [{ kubernetesVersion: '1.34' }, false],
    [{ kubernetesVersion: '1.34', storageBackend: 'etcd3', etcdServers: ['http://e:2379'] }, true],
    [{ kubernetesVersion: '1.34', serviceClusterIpRange: 'fd00::/63', advertiseAddress: 'fd01::1' }, true],
    [{ featureGates: ['MultiCIDRServiceAllocator=true', 'DisableAllocatorDualWrite=true'] }, false],
  ] as [ServerOptions, boolean][])('bounds ranges with a bitmap: %j', async (options, isRefused) => {
    await loadScheme('1.34');
    const start = () => configure({ serviceClusterIpRange: '10.0.0.0/4', ...options }, SELECTABLE);
    if (isRefused) expect(start).toThrow('--service-cluster-ip-range is too large');
    else expect(start).not.toThrow();
  });

  const keys = { serviceAccountKeyFile: ['/keys/pub'], serviceAccountSigningKeyFile: '/keys/key' };
  const together =
    '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together';

  it.each<[string, ServerOptions]>([
    [
      'specified --service-cluster-ip-range is too large; for 32-bit addresses, the mask must be >= 12',
      { serviceClusterIpRange: '10.0.0.0/4' },
    ],
    ['service-cluster-ip-range[0] is not a valid cidr', { serviceClusterIpRange: 'nonsense' }],
    ['service-cluster-ip-range[1] is not an ip net', { serviceClusterIpRange: '10.0.0.0/24,x' }],
    [
      '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family',
      { serviceClusterIpRange: '10.0.0.0/24,10.1.0.0/24' },
    ],
    [
      '--service-cluster-ip-range must not contain more than two entries',
      { serviceClusterIpRange: '10.0.0.0/24,fd00::/120,fd01::/120' },
    ],
    [
      'service IP family "fd00::/120" must match public address family "192.0.2.1"',
      { serviceClusterIpRange: 'fd00::/120' },
    ],
    ['enable-admission-plugins plugin "Nope" is unknown', { enableAdmissionPlugins: ['Nope'] }],
    [
      '[LimitRanger] in enable-admission-plugins and disable-admission-plugins overlapped',
      { enableAdmissionPlugins: ['LimitRanger'], disableAdmissionPlugins: ['LimitRanger'] },
    ],
    [
      '[--max-requests-inflight can not be negative value, --min-request-timeout can not be negative value]',
      { maxRequestsInflight: -1, minRequestTimeout: -1 },
    ],
    [
      "--show-hidden-metrics-for-version must be omitted or have the value '1.31'. Only the previous minor version is allowed",
      { showHiddenMetricsForVersion: '1.2' },
    ],
    ['invalid value of watch cache size: pods', { watchCacheSizes: ['pods'] }],
    ['watch cache size cannot be negative: pods#-1', { watchCacheSizes: ['pods#-1'] }],
    ['emulation version 1.30 is not between [1.31, 1.32.0]', { emulatedVersion: ['1.30'] }],
    ['component not registered: other', { emulatedVersion: ['other=1.31'] }],
    ['could not parse "soon" as version', { emulatedVersion: ['soon'] }],
    ["--apiserver-count should be a positive number, but value '-1' provided", { apiserverCount: -1 }],
    [
      '--peer-ca-file requires UnknownVersionInteroperabilityProxy feature to be turned on',
      { peerCaFile: '/absent' },
    ],
    [
      '--service-account-signing-endpoint is not supported: tokens are signed by this server; leave it out',
      { serviceAccountSigningEndpoint: '/a.sock' },
    ],
    [`[service-account-issuer is a required flag, ${together}]`, keys],
    [together, { serviceAccountKeyFile: ['/keys/pub'], serviceAccountIssuer: ['https://a.test'] }],
    ['authorization-mode "Nope" is not a valid mode', { authorizationMode: ['Nope'] }],
    [
      'authorization-mode ["RBAC" "RBAC"] has mode specified more than once',
      { authorizationMode: ['RBAC', 'RBAC'] },
    ],
    ["authorization-mode Webhook's authorization config file not passed", { authorizationMode: ['Webhook'] }],
    [
      'cannot specify --authorization-webhook-config-file without mode Webhook',
      { authorizationWebhookConfigFile: '/x' },
    ],
    [
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
      { authorizationConfig: '/x', authorizationMode: ['RBAC'] },
    ],
    [
      'cannot set feature gate StructuredAuthorizationConfiguration to false, feature is locked to true',
      { featureGates: ['StructuredAuthorizationConfiguration=false'] },
    ],
    [
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
      { oidcIssuerUrl: 'https://x.test' },
    ],
    [
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
      { oidcClientId: 'a' },
    ],
    [
      'oidc: unsupported signing alg: "HS256"',
      { oidcIssuerUrl: 'https://x.test', oidcClientId: 'a', oidcSigningAlgs: ['HS256'] },
    ],
    ['--goaway-chance can not be less than 0 or greater than 0.02', { goawayChance: 0.5 }],
    ['duplicate version flag, kube=1.31 and kube=1.32', { emulatedVersion: ['1.31', 'kube=1.32'] }],
    ['patch version not allowed, got: kube=1.32.1', { emulatedVersion: ['1.32.1'] }],
    ['illegal version string "1"', { emulatedVersion: ['1'] }],
    [
      'format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature',
      { loggingFormat: 'json', featureGates: ['LoggingBetaOptions=false'] },
    ],
    [
      'UnknownVersionInteroperabilityProxy feature requires StorageVersionAPI feature flag to be enabled',
      { featureGates: ['UnknownVersionInteroperabilityProxy=true'] },
    ],
    [
      '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
      { strictTransportSecurityDirectives: ['max-age'] },
    ],
    ['service-cluster-ip-range[1] is not an ip net', { serviceClusterIpRange: '10.0.0.0/24, fd00::/112' }],
    [
      '--runtime-config=api/ga=false conflicts with --enable-priority-and-fairness=true',
      { runtimeConfig: ['api/ga=false'] },
    ],
    ['--shutdown-delay-duration can not be negative value', { shutdownDelayDuration: -5000 }],
    ['--livez-grace-period can not be a negative value', { livezGracePeriod: -5000 }],
    [
      'invalid audit log mode loud, allowed modes are "batch,blocking,blocking-strict"',
      { auditLogPath: '-', auditLogMode: 'loud' },
    ],
    ['unknown api groups nonsense', { runtimeConfig: ['nonsense/v1'] }],
    ['--tls-cert-file and --tls-private-key-file must be specified together', { tlsCertFile: '/x' }],
    [
      '--secure-port 70000 must be between 0 and 65535, inclusive. 0 chooses a free port',
      { securePort: 70_000 },
    ],
    [
      "--storage-backend invalid, allowed values: embedded, etcd3, memory. If not specified, it will default to 'embedded'",
      { storageBackend: 'etcd2' },
    ],
    ['--etcd-servers must be specified', { storageBackend: 'etcd3' }],
    [
      '--etcd-servers can not be combined with --storage-backend=memory',
      {
        storageBackend: 'memory',
        etcdServers: ['http://127.0.0.1:2379'],
        serviceAccountSigningKeyFile: 'sa.key',
        serviceAccountIssuer: ['https://a.test'],
      },
    ],
    [
      '--etcd-servers: "ftp://x" is not an http or https URL',
      {
        etcdServers: ['ftp://x'],
        serviceAccountSigningKeyFile: 'sa.key',
        serviceAccountIssuer: ['https://a.test'],
      },
    ],
    [
      '--service-account-signing-key-file must be specified with --etcd-servers: all servers on one store sign and accept tokens with the same key; create one with "openssl genrsa -out FILE 2048"',
      { etcdServers: ['http://127.0.0.1:2379'] },
    ],
    ['--etcd-certfile and --etcd-keyfile must be specified together', { etcdCertfile: '/x' }],
    [
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
      { encryptionProviderConfigAutomaticReload: true },
    ],
    [
      'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds',
      { serviceAccountMaxTokenExpiration: 1000 },
    ],
    ["kubernetes service node port range 30000-32767 doesn't contain 80", { kubernetesServiceNodePort: 80 }],
  ])('refuse with: %s', (message, options) => {
    expect(() => configuration(options)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message }),
    );
  });

  it.each<ServerOptions>([
    { ...keys, serviceAccountIssuer: ['https://a.test'] },
    { serviceAccountIssuer: ['https://a.test'] },
    { anonymousAuth: false },
    { auditLogPath: '/tmp/a.log' },
    { showHiddenMetricsForVersion: '1.31' },
    { featureGates: ['APIResponseCompression=false'] },
    { serviceClusterIpRange: '10.96.0.0/16,fd00:96::/108' },
    { authorizationConfig: '/x' },
    {
      etcdServers: ['http://127.0.0.1:2379'],
      serviceAccountSigningKeyFile: 'sa.key',
      serviceAccountIssuer: ['https://a.test'],
    },
    { authorizationMode: ['Node', 'RBAC'] },
    { runtimeConfig: ['api/all=true'] },
    { storageBackend: 'memory' },
  ])('accept %j', (options) => {
    expect(configuration(options).values).toMatchObject(options);
  });

  it('reject unknown names', () => {
    expect(() => configuration({ nonsense: 1 } as ServerOptions)).toThrow('unknown option: nonsense');
  });
});
