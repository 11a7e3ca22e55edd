const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All';
const rules = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] }];

const attempt = (name, spec) => ({
  name,
  method: 'POST',
  path: policies,
  body: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'details.example.com' },
    spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'true' }], ...spec },
  },
});

export default {
  title: 'Details of errors of policies',
  profile: 'admission',
  steps: [
    attempt('a group version without version', { paramKind: { apiVersion: 'apps/', kind: 'Deployment' } }),
    attempt('a group version with two slashes', { paramKind: { apiVersion: 'a/b/c', kind: 'Deployment' } }),
    attempt('a long annotation', { auditAnnotations: [{ key: 'k', valueExpression: 'x'.repeat(5121) }] }),
    {
      name: 'a kind that is no text',
      method: 'POST',
      path: policies,
      body: { apiVersion: 'admissionregistration.k8s.io/v1', kind: true },
    },
  ],
};
