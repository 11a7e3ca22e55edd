import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAuditPolicy } from '../../../src/options/documents/audit-policy.ts';
import { temporaryDirectory } from '../fixtures.ts';

function file(content: object | string): string {
  const name = join(temporaryDirectory(), 'policy');
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}
const policy = (...rules: object[]) => ({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });

describe('an audit policy file', () => {
  it('is read as YAML or JSON; unknown members are ignored with a warning', () => {
    const yaml =
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [Panic]\nrules:\n- level: Metadata\n  nonsense: 1\n';
    const warnings: string[] = [];
    expect(readAuditPolicy(file(yaml), (problem) => warnings.push(problem))).toMatchObject({
      omitStages: ['Panic'],
      rules: [{ level: 'Metadata' }],
    });
    expect(warnings).toEqual([
      'Audit policy contains errors, falling back to lenient decoding: strict decoding error: unknown field "rules[0].nonsense"',
    ]);
    expect(
      readAuditPolicy(file(policy({ level: 'None', nonResourceURLs: ['*', '/a', '/a/*'] }))).rules,
    ).toHaveLength(1);
  });

  it.each<[object | string, string]>([
    ['', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
    [
      'kind: Other',
      'failed decoding: no kind "Other" is registered for version "audit.k8s.io/__internal" in scheme "pkg/runtime/scheme.go:100"',
    ],
    [
      { ...policy(), apiVersion: 'audit.k8s.io/v9' },
      'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v9" in scheme "pkg/runtime/scheme.go:100"',
    ],
    [policy(), 'loaded illegal policy with 0 rules'],
    [policy({}), 'rules[0].level: Required value'],
    [
      policy({ level: 'Loud', omitStages: ['Never'] }),
      '[rules[0].level: Unsupported value: "Loud": supported values: "None", "Metadata", "Request", "RequestResponse", rules[0].omitStages[0]: Invalid value: "Never": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic]',
    ],
    [
      policy({ level: 'None', nonResourceURLs: ['/a*b'], namespaces: ['n'] }),
      '[rules[0].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule, rules[0].nonResourceURLs: Invalid value: []string{"/a*b"}: rules cannot apply to both regular resources and non-resource URLs]',
    ],
    [
      policy({ level: 'None', resources: [{ resourceNames: ['a', 'b'] }] }),
      'rules[0].resources.resourceNames: Invalid value: []string{"a", "b"}: using resourceNames requires at least one resource',
    ],
    [
      { ...policy({ level: 'None' }), omitStages: ['x'] },
      'omitStages[0]: Invalid value: "x": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
  ])('%j is refused', (content, text) => {
    const name = file(content);
    expect(() => readAuditPolicy(name)).toThrow(`loading audit policy file: ${text}: from file ${name}`);
  });

  it('must exist', () => {
    expect(() => readAuditPolicy('/absent/policy')).toThrow(
      'loading audit policy file: failed to read file path "/absent/policy": open /absent/policy: no such file or directory',
    );
  });
});
