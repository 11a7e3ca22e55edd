import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AdmissionPluginName } from '../../src/admission/plugins/table.ts';
import { readAdmissionSettings } from '../../src/composition/admission-configuration.ts';
import { configureServer } from '../../src/composition/configure-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-admission-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'admission.json');
const HEADER = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration' };

function read(document: object | string, ...enabled: AdmissionPluginName[]) {
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return readAdmissionSettings(
    configureServer({ admissionControlConfigFile: file, enableAdmissionPlugins: enabled }),
  );
}
const plugins = (...list: object[]) => ({ ...HEADER, plugins: list });
const plugin = (name: AdmissionPluginName, configuration: unknown) =>
  read(plugins({ name, configuration }), name);
const events = (limits: unknown) => ({
  apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
  limits,
});
const security = (fields: object) => ({
  apiVersion: 'pod-security.admission.config.k8s.io/v1',
  kind: 'PodSecurityConfiguration',
  ...fields,
});
const tolerations = (fields: object) => ({
  apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
  ...fields,
});
const kubeconfig = (name: string) => {
  const path = join(directory, name);
  writeFileSync(
    path,
    JSON.stringify({
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://images.test/policy' } }],
      users: [{ name: 'u', user: { token: 't' } }],
    }),
  );
  return path;
};

describe('the admission configuration file', () => {
  it('is optional', async () => {
    expect(await readAdmissionSettings(configureServer({}))).toMatchObject({
      eventLimits: [],
      imagePolicy: undefined,
      limitedResources: [],
      webhookCredentials: { mutating: undefined, validating: undefined },
      warnings: [],
    });
  });

  it('is read in YAML, with documents by path', async () => {
    writeFileSync(
      join(directory, 'events.yaml'),
      'apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\nlimits:\n- {type: User, qps: 1, burst: 8}\n',
    );
    const { eventLimits } = await read(
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: EventRateLimit\n  path: events.yaml\n',
      'EventRateLimit',
    );
    expect(eventLimits).toEqual([{ type: 'User', qps: 1, burst: 8, cacheSize: 0 }]);
  });

  it('uses the first entry of a plugin, and its configuration before its path', async () => {
    const { podSecurity } = await read(
      plugins(
        {
          name: 'PodSecurity',
          path: 'absent',
          configuration: security({ defaults: { enforce: 'baseline' } }),
        },
        { name: 'PodSecurity', configuration: security({ defaults: { enforce: 'restricted' } }) },
        { name: 'Unknown', path: 'absent' },
        { name: 'EventRateLimit', path: 'absent' },
      ),
    );
    expect(podSecurity.defaults.enforce.text).toBe('baseline:latest');
  });

  it('may be the document of a plugin without version', async () => {
    const { nodeSelectors } = await read(
      { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b' } },
      'PodNodeSelector',
    );
    expect([...nodeSelectors]).toEqual([['clusterDefaultNodeSelector', 'a=b']]);
  });

  it.each<[object, string]>([
    [{ ...HEADER, kind: 'Other' }, 'no kind "Other" is registered for version "apiserver.config.k8s.io/v1"'],
    [{ ...HEADER, nonsense: 1 }, 'strict decoding error: unknown field "nonsense"'],
    [{ ...HEADER, apiVersion: 'apiserver.config.k8s.io/v1alpha1' }, 'no kind "AdmissionConfiguration"'],
  ])('is refused: %j', async (document, text) => {
    await expect(read(document)).rejects.toThrow(
      `failed to apply admission: failed to read plugin config: ${text}`,
    );
  });

  it('is refused if it or a document of an enabled plugin is absent', async () => {
    await expect(
      readAdmissionSettings(configureServer({ admissionControlConfigFile: '/absent' })),
    ).rejects.toThrow(
      'failed to read plugin config: unable to read admission control configuration from "/absent" [open /absent: no such file or directory]',
    );
    await expect(read(plugins({ name: 'PodSecurity', path: 'absent' }))).rejects.toThrow(
      `couldn't init admission plugin "PodSecurity": open ${join(directory, 'absent')}: no such file or directory`,
    );
  });
});

describe('the documents of plugins', () => {
  it.each<[AdmissionPluginName, unknown, string]>([
    ['EventRateLimit', undefined, 'limits: Invalid value: []eventratelimit.Limit(nil): must not be empty'],
    [
      'EventRateLimit',
      events([{ type: 'Other', qps: 0, burst: 0, cacheSize: -1 }]),
      '[limits[0].type: Unsupported value: "Other": supported values: "Namespace", "Server", "SourceAndObject", "User", limits[0].burst: Invalid value: 0: must be positive, limits[0].qps: Invalid value: 0: must be positive, limits[0].cacheSize: Invalid value: -1: must not be negative]',
    ],
    ['ImagePolicyWebhook', undefined, 'no config specified'],
    ['ImagePolicyWebhook', { imagePolicy: {} }, 'invalid configuration: no configuration has been provided'],
    [
      'ImagePolicyWebhook',
      { imagePolicy: { kubeConfigFile: '/absent', denyTTL: 1801 } },
      'valid value is between 1s and 30m0s, got 30m1s',
    ],
    [
      'ImagePolicyWebhook',
      { imagePolicy: { kubeConfigFile: '/absent', defaultAllow: 'yes' } },
      'json: cannot unmarshal string into Go struct field imagePolicyWebhookConfig.imagePolicy.defaultAllow of type bool',
    ],
    [
      'ImagePolicyWebhook',
      { imagePolicy: { kubeConfigFile: '/absent' } },
      'stat /absent: no such file or directory',
    ],
    [
      'PodTolerationRestriction',
      tolerations({
        whitelist: [
          { operator: 'Equal', key: 'a' },
          { operator: 'Nope', key: 'a' },
        ],
      }),
      'invalid config: [podtolerationrestriction.whitelist[1].operator: Unsupported value: "Nope": supported values: "Equal", "Exists"]',
    ],
    [
      'ResourceQuota',
      {
        apiVersion: 'resourcequota.admission.k8s.io/v1beta1',
        kind: 'Configuration',
        limitedResources: [{ apiGroup: 'apps' }],
      },
      'limitedResources[0].resource: Required value',
    ],
    [
      'MutatingAdmissionWebhook',
      {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'WebhookAdmissionConfiguration',
        kubeConfigFile: 'relative',
      },
      'kubeConfigFile: Invalid value: "relative": must be an absolute file path',
    ],
  ])('of %s is refused: %j', async (name, configuration, text) => {
    await expect(plugin(name, configuration)).rejects.toThrow(
      `failed to apply admission: couldn't init admission plugin ${JSON.stringify(name)}: ${text}`,
    );
  });

  it.each<[object, string]>([
    [
      { defaults: { audit: 'nope' } },
      'PodSecurity configuration error: audit: must be one of privileged, baseline, restricted',
    ],
    [
      { exemptions: { usernames: ['a', 'a'], runtimeClasses: ['Not OK'] } },
      'PodSecurity invalid: [exemptions.runtimeClasses[0]: Invalid value: "Not OK"',
    ],
    [{ exemptions: { usernames: ['a', 'a'] } }, 'exemptions.usernames[1]: Duplicate value: "a"'],
  ])('of PodSecurity is refused: %j', async (fields, text) => {
    await expect(plugin('PodSecurity', security(fields))).rejects.toThrow(text);
  });

  it('give settings', async () => {
    const webhooks = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'WebhookAdmissionConfiguration',
      kubeConfigFile: kubeconfig('webhooks'),
    };
    const settings = await read(
      plugins(
        {
          name: 'ImagePolicyWebhook',
          configuration: {
            imagePolicy: {
              kubeConfigFile: kubeconfig('images'),
              allowTTL: 60,
              denyTTL: -1,
              retryBackoff: 100,
            },
          },
        },
        {
          name: 'PodTolerationRestriction',
          configuration: tolerations({ default: [{ operator: 'Exists' }] }),
        },
        {
          name: 'ResourceQuota',
          configuration: {
            apiVersion: 'apiserver.config.k8s.io/v1',
            kind: 'ResourceQuotaConfiguration',
            limitedResources: [
              { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'Exists' }] },
            ],
          },
        },
        { name: 'ValidatingAdmissionWebhook', configuration: webhooks },
      ),
      'ImagePolicyWebhook',
      'PodTolerationRestriction',
    );
    expect(settings).toMatchObject({
      imagePolicy: { allowTtl: 60_000, denyTtl: 0, defaultAllow: false },
      imageReview: { endpoint: { server: 'https://images.test/policy', token: 't' }, retryBackoff: 100 },
      tolerations: { added: [{ operator: 'Exists' }], allowed: [] },
      limitedResources: [
        {
          group: '',
          resource: 'pods',
          matchContains: [],
          matchScopes: [{ scopeName: 'PriorityClass', operator: 'Exists', values: [] }],
        },
      ],
    });
    expect(settings.webhookCredentials.validating?.('any.test')).toMatchObject({ token: 't' });
    expect(settings.webhookCredentials.mutating).toBeUndefined();
  });

  it.each([5, { podNodeSelectorPluginConfig: 5 }, { podNodeSelectorPluginConfig: { a: 1 } }])(
    'of PodNodeSelector are ignored with a warning where they are wrong: %j',
    async (configuration) => {
      const { nodeSelectors, warnings } = await plugin('PodNodeSelector', configuration);
      expect(nodeSelectors.size).toBe(0);
      expect(warnings).toEqual([expect.stringContaining('the configuration of PodNodeSelector is ignored')]);
    },
  );
});
