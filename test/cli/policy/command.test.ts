import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runPolicyCommand } from '../../../src/cli/policy/command.ts';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-policy-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

async function run(...words: string[]) {
  const result = { code: 0, out: '', error: '' };
  result.code = await runPolicyCommand(words, {
    out: (text) => {
      result.out += text;
    },
    error: (text) => {
      result.error += text;
    },
  });
  return result;
}

const policy = file(
  'policy.yaml',
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec:
  paramKind: {apiVersion: example.com/v1, kind: Limit}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments]}]
  matchConditions: [{name: not-free, expression: "object == null || object.metadata.name != 'free'"}]
  validations:
    - expression: object == null || object.spec.replicas <= params.maximum
      messageExpression: "'at most ' + string(params.maximum)"
      reason: Forbidden
    - expression: request.operation != 'DELETE'
---
apiVersion: example.com/v1
kind: Limit
metadata: {name: small, namespace: default}
maximum: 3
`,
);
const binding = file(
  'binding.yaml',
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: limits, validationActions: [Warn], paramRef: {name: small, parameterNotFoundAction: Deny}}
`,
);
const deployment = (name: string, replicas: number) =>
  file(
    `${name}.yaml`,
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec: {replicas: ${replicas}}
`,
  );

describe('binnacle policy', () => {
  test('prints the verdict, the messages and the cost for each manifest', async () => {
    const others = file('other.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n');
    const { code, out } = await run(
      policy,
      '--on',
      deployment('big', 9),
      deployment('fine', 2),
      deployment('free', 9),
      others,
    );
    expect(code).toBe(1);
    expect(out.split('\n')).toEqual([
      'Deployment big: denied (403 Forbidden)',
      expect.stringMatching(/^ {2}limits with binding \(none\): 1 of 2 validations hold, cost \d+$/),
      '    failed: at most 3',
      `  deployments.apps "big" is forbidden: ValidatingAdmissionPolicy 'limits' with binding '(none)' denied request: at most 3`,
      'Deployment fine: admitted',
      expect.stringMatching(/2 of 2 validations hold, cost \d+$/),
      'Deployment free: admitted',
      '  limits with binding (none): excluded by the match condition not-free',
      'ConfigMap other: admitted, no policy matches',
      '',
    ]);
  });

  test('acts by the bindings that are given', async () => {
    expect(await run(policy, binding, '--on', deployment('big', 9))).toMatchObject({
      code: 0,
      out: expect.stringContaining('limits with binding everywhere: 1 of 2'),
    });
  });

  test('tries updates and deletions', async () => {
    const old = deployment('old', 2);
    const deleted = await run(policy, '--operation=DELETE', '--on', old);
    expect(deleted).toMatchObject({
      code: 1,
      out: expect.stringContaining('failed expression: request.operation'),
    });
    expect(await run(policy, '--old', old, '--on', deployment('fine', 2))).toMatchObject({ code: 0 });
  });

  test('says in one line what is wrong', async () => {
    const failures = [
      [[], 'give files with policies'],
      [[policy], 'give files with policies'],
      [[binding, '--on', policy], 'no ValidatingAdmissionPolicy in'],
      [[policy, '--on', join(directory, 'absent.yaml')], 'no such file or directory'],
      [[policy, '--onn', policy], 'unknown flag: --onn'],
      [[policy, '--operation=READ', '--on', policy], 'unknown operation READ'],
      [[policy, '--on', file('empty.yaml', '---\n')], 'no manifests in '],
      [[policy, '--old', file('empty.yaml', ''), '--on', policy], 'no object in '],
      [[policy, '--old', policy, '--operation=CREATE', '--on', policy], '--old has no meaning with'],
      [[policy, '--on', file('broken.yaml', 'a: [')], 'broken.yaml: '],
      [[file('bad.yaml', 'a: b\n'), '--on', policy], 'has a document without kind'],
    ] as const;
    for (const [words, text] of failures) {
      const { code, error } = await run(...words);
      expect([code, error]).toEqual([1, expect.stringMatching(/^Error: .*\n$/)]);
      expect(error).toContain(text);
    }
  });

  test('prints help', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage:') });
  });
});
