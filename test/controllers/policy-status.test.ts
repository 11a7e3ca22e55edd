import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
} from '../../src/model/generated/admissionregistration-v1.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { watchUntil } from '../support/watch-until.ts';

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

describe('type checking of validating admission policies', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['validatingadmissionpolicy-status-controller'] });
  });
  afterAll(() => cluster.stop());

  const rule = (group: string, ...resources: string[]) => ({
    apiGroups: [group],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources,
  });

  async function write(name: string, spec: ValidatingAdmissionPolicySpec, generation = 1) {
    const method = generation === 1 ? 'POST' : 'PATCH';
    const answered = await cluster.fetch(method === 'POST' ? POLICIES : `${POLICIES}/${name}`, {
      method,
      headers: { 'content-type': method === 'POST' ? 'application/json' : 'application/merge-patch+json' },
      body: { metadata: { name }, spec },
    });
    expect(answered.status).toBeLessThan(300);
    return watchUntil(
      cluster,
      `${POLICIES}?fieldSelector=metadata.name%3D${name}`,
      (object: KubernetesObject) =>
        (object as ValidatingAdmissionPolicy).status?.observedGeneration === generation,
    ) as Promise<ValidatingAdmissionPolicy>;
  }

  const warnings = ({ status }: ValidatingAdmissionPolicy) =>
    Object.fromEntries(
      (status?.typeChecking?.expressionWarnings ?? []).map(({ fieldRef, warning }) => [fieldRef, warning]),
    );

  it('tells of each expression that does not fit the schema of a matched kind', async () => {
    const policy = await write('typed', {
      matchConstraints: { resourceRules: [rule('apps', 'deployments', 'daemonsets', 'deployments/scale')] },
      variables: [
        { name: 'spec', expression: 'object.spec' },
        { name: 'count', expression: 'size(object.spec.template.spec.containers)' },
      ],
      validations: [
        { expression: 'object.spec.replicas > 1' },
        {
          expression:
            "object.metadata.labels['a'] == 'x' && oldObject.kind == 'y' && variables.spec.any == 1",
        },
        {
          expression: 'object.metadata.name == variables.count',
          messageExpression: "object.spec.nope + 'x'",
        },
        { expression: 'object.spec.template.spec.containers.all(c, c.ports.all(p, p.hostPort == 0))' },
        { expression: 'has(object.spec.template.spec.containers[0].livenessProbe.httpGet.port)' },
        { expression: 'object.metadata.creationTimestamp < timestamp(request.name)' },
      ],
    });
    const at = (line: string, column: number, message: string) =>
      `ERROR: <input>:1:${column}: ${message}\n | ${line}\n | ${'.'.repeat(column - 1)}^`;
    const both = (text: string) => `apps/v1, Kind=DaemonSet: ${text}\n\napps/v1, Kind=Deployment: ${text}\n`;
    expect(warnings(policy)).toEqual({
      'spec.validations[0].expression': `apps/v1, Kind=DaemonSet: ${at('object.spec.replicas > 1', 12, "undefined field 'replicas'")}\n`,
      'spec.validations[2].expression': both(
        at(
          'object.metadata.name == variables.count',
          22,
          "found no matching overload for '_==_' applied to '(string, int)'",
        ),
      ),
      'spec.validations[2].messageExpression': both(
        at("object.spec.nope + 'x'", 12, "undefined field 'nope'"),
      ),
    });
  });

  it('checks again when the policy changes', async () => {
    const spec = {
      matchConstraints: { resourceRules: [rule('', 'pods')] },
      validations: [{ expression: 'object.spec.nope == 1' }],
    };
    expect(warnings(await write('changed', spec))).toMatchObject({
      'spec.validations[0].expression': expect.stringContaining('/v1, Kind=Pod: ERROR'),
    });
    const right = await write('changed', { validations: [{ expression: 'true' }] }, 2);
    expect(warnings(right)).toEqual({});
    expect(
      right.metadata?.managedFields?.map(({ manager, subresource }) => [manager, subresource]),
    ).toContainEqual(['validatingadmissionpolicy-status-controller', 'status']);
  });

  it('has the types of parameters and of custom kinds, and skips wildcards', async () => {
    const integer = { type: 'integer' };
    const schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: integer,
            port: { 'x-kubernetes-int-or-string': true },
            sizes: { type: 'object', additionalProperties: integer },
          },
        },
      },
    };
    const definition = {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    };
    await cluster.fetch('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      method: 'POST',
      body: definition,
    });
    while ((await cluster.fetch('/apis/example.com/v1/things')).status !== 200)
      await new Promise((resolve) => setImmediate(resolve));
    const validations = [
      { expression: "object.spec.size == 'x'" },
      { expression: "object.spec.port == 'x' && object.spec.sizes['a'] == 1 && has(object.metadata.labels)" },
      { expression: 'params.data.size() == 1 && params.datum == 1' },
      { expression: "authorizer.group('').resource('pods').check('get').allowed()" },
    ];
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const matchConstraints = { resourceRules: [rule('example.com', 'things')] };
    const policy = await write('custom', { matchConstraints, paramKind, validations });
    expect(Object.keys(warnings(policy))).toEqual([
      'spec.validations[0].expression',
      'spec.validations[2].expression',
    ]);
    const wild = await write('wild', {
      matchConstraints: { resourceRules: [rule('*', 'things'), rule('', '*')] },
      validations: [{ expression: 'object.nope == 1' }],
    });
    expect(wild.status?.typeChecking).toEqual({});
  });
});
