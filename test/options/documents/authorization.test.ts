import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { matchConditionError } from '../../../src/authorization/webhook/index.ts';
import { parseAuthorization } from '../../../src/options/documents/authorization.ts';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-authz-'));
const kubeConfigFile = join(directory, 'hook.yaml');
writeFileSync(kubeConfigFile, 'kind: Config\n');

afterAll(() => rmSync(directory, { recursive: true }));

const hook = (fields: object = {}) => ({
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'NoOpinion',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
  ...fields,
});
const configuration = (authorizers: readonly object[], version = 'v1') =>
  JSON.stringify({
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: 'AuthorizationConfiguration',
    authorizers,
  });
const webhook = (fields: object) => configuration([{ type: 'Webhook', name: 'hook', webhook: hook(fields) }]);
const parse = (text: string) => parseAuthorization(text, matchConditionError);

describe('AuthorizationConfiguration', () => {
  it.each(['v1', 'v1beta1', 'v1alpha1'])('is decoded in %s', (version) => {
    const text = configuration(
      [
        { type: 'Webhook', name: 'a.b', webhook: hook({ authorizedTTL: '1m30s' }) },
        { type: 'RBAC', name: 'rbac' },
      ],
      version,
    );
    expect(parse(text)).toEqual([
      {
        type: 'Webhook',
        name: 'a.b',
        webhook: {
          timeout: 3000,
          authorizedTtl: 90_000,
          unauthorizedTtl: 30_000,
          reviewVersion: 'v1',
          failurePolicy: 'NoOpinion',
          kubeconfigFile: kubeConfigFile,
          conditions: [],
        },
      },
      { type: 'RBAC', name: 'rbac' },
    ]);
  });

  it('may have several webhooks, also as YAML', () => {
    expect(
      parse(
        configuration([
          { type: 'Webhook', name: 'a', webhook: hook() },
          { type: 'Webhook', name: 'b', webhook: hook() },
        ]),
      ),
    ).toHaveLength(2);
    expect(
      parse(
        'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthorizationConfiguration\nauthorizers:\n- type: Node\n  name: node\n',
      ),
    ).toEqual([{ type: 'Node', name: 'node' }]);
  });

  it.each<[string, string]>([
    [configuration([]), 'authorizers: Required value: at least one authorization mode must be defined'],
    [configuration([{ name: 'x' }]), 'authorizers[0].type: Required value'],
    [
      configuration([
        { type: 'RBAC', name: 'a' },
        { type: 'RBAC', name: 'b' },
      ]),
      'authorizers[1].type: Duplicate value: "RBAC"',
    ],
    [
      configuration([{ type: 'RBAC' }, { type: 'Nope', name: 'x' }]),
      '[authorizers[0].name: Required value, authorizers[1].type: Unsupported value: "Nope"',
    ],
    [
      configuration([
        { type: 'RBAC', name: 'r' },
        { type: 'Node', name: 'node' },
        { type: 'AlwaysDeny', name: 'n' },
      ]),
      '[expected name rbac for authorizer RBAC instead of r, expected name alwaysdeny for authorizer AlwaysDeny instead of n]',
    ],
    [
      webhook({
        matchConditionSubjectAccessReviewVersion: 'v1',
        matchConditions: [{ expression: 'true' }, { expression: 'true' }],
      }),
      'authorizers[0].matchConditions[1].expression: Duplicate value: "true"',
    ],
    [webhook({ timeout: '31s' }), 'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s'],
    [webhook({ timeout: undefined }), 'authorizers[0].timeout: Required value'],
    [webhook({ authorizedTTL: '-1s' }), 'authorizers[0].authorizedTTL: Invalid value: "-1s": must be > 0s'],
    [webhook({ subjectAccessReviewVersion: 'v2' }), 'supported values: "v1", "v1beta1"'],
    [
      webhook({ matchConditions: [{ expression: 'true' }] }),
      'matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
    ],
    [
      webhook({ failurePolicy: 'Ignore' }),
      'authorizers[0].failurePolicy: Unsupported value: "Ignore": supported values: "NoOpinion", "Deny"',
    ],
    [
      webhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: directory } }),
      'must be a regular file',
    ],
    [
      webhook({ connectionInfo: { type: 'InClusterConfig', kubeConfigFile } }),
      'can only be set when type=KubeConfigFile',
    ],
    [
      configuration([{ type: 'RBAC', name: 'x', webhok: {} }]),
      'failed to load AuthorizationConfiguration from file: strict decoding error: unknown field "authorizers[0].webhok"',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  const condition = (...expressions: string[]) =>
    webhook({
      matchConditionSubjectAccessReviewVersion: 'v1',
      matchConditions: expressions.map((expression) => ({ expression })),
    });

  it('allows up to 64 boolean conditions', () => {
    expect(
      parse(condition(...Array.from({ length: 64 }, (_, index) => `request.user == '${index}'`)))[0]!.webhook!
        .conditions,
    ).toHaveLength(64);
    expect(() => parse(condition(...Array.from({ length: 65 }, () => 'true')))).toThrow(
      'authorizers[0].matchConditions: Too many: 65: must have at most 64 items',
    );
    expect(() => parse(condition('true', ' '))).toThrow(
      'authorizers[0].matchConditions[1].expression: Required value',
    );
    expect(() => parse(condition('1'))).toThrow(
      'matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
    );
    expect(() => parse(condition('request.nope'))).toThrow(
      /matchConditions\[0\]\.expression: Invalid value: "request\.nope": compilation failed: ERROR.*undefined field 'nope'/s,
    );
  });
});
