import { readFileSync } from 'node:fs';
import { type ApiException, AppsV1Api, CoreV1Api, KubeConfig, type V1Status } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WebhookAnswer, type WebhookCall, WebhookServer } from '../support/webhook-server.ts';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { until } from './support/until.ts';

const GROUP = 'admissionregistration.k8s.io/v1';

interface Review {
  readonly uid: string;
  readonly operation: string;
  readonly dryRun: boolean;
  readonly userInfo: { readonly username: string };
  readonly object: { readonly metadata: { readonly name: string; readonly labels?: object } };
}

const reviewOf = (call: WebhookCall) => call.body['request'] as Review;

/** What the webhook of each path answers to a review. */
const RESPONSES: Readonly<Record<string, (review: Review) => object>> = {
  '/label': ({ object }) => {
    const [path, value] =
      object.metadata.labels === undefined
        ? ['/metadata/labels', { injected: 'yes' }]
        : ['/metadata/labels/injected', 'yes'];
    const patch = Buffer.from(JSON.stringify([{ op: 'add', path, value }])).toString('base64');
    return { allowed: true, patchType: 'JSONPatch', patch };
  },
  '/check': ({ object }) =>
    object.metadata.name.startsWith('forbidden')
      ? { allowed: false, status: { code: 422, reason: 'Invalid', message: 'this name is taken' } }
      : { allowed: true, warnings: [`${object.metadata.name} will be checked more strictly`] },
};

function answer(call: WebhookCall): WebhookAnswer {
  const review = reviewOf(call);
  const response = { uid: review.uid, ...RESPONSES[call.path]!(review) };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

const deployment = (name: string, replicas: number) => {
  const labels = { app: name };
  const containers = [{ name: 'web', image: 'web:1' }];
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec };
};

const policy = {
  apiVersion: GROUP,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'replicas' },
  spec: {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['apps'],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['deployments'],
        },
      ],
    },
    validations: [
      {
        expression: 'object.spec.replicas <= int(params.data.maximum)',
        messageExpression:
          "object.metadata.name + ' has ' + string(object.spec.replicas) + ' of ' + params.data.maximum",
      },
    ],
  },
};

const binding = (...validationActions: string[]) => ({
  apiVersion: GROUP,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'replicas-default' },
  spec: {
    policyName: 'replicas',
    validationActions,
    paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' },
  },
});

describe.skipIf(!hasKubectl)('kubectl and admission', () => {
  const server = new BuiltServer();
  const webhooks = new WebhookServer(answer);
  let kubectl: Kubectl;
  let config: KubeConfig;

  beforeAll(async () => {
    await webhooks.start();
    await server.start();
    kubectl = new Kubectl(server);
    config = new KubeConfig();
    config.loadFromString(readFileSync(server.kubeconfigFile, 'utf8'));
  });
  afterAll(async () => {
    await server.remove();
    await webhooks.stop();
  });

  const pipe = (words: string, object: object) =>
    kubectl.try(words.split(' '), { input: JSON.stringify(object) });
  const create = (words: string) => kubectl.try(['create', ...words.split(' ')]);
  const apply = async (object: object) => {
    const { code, stderr } = await pipe('apply -f -', object);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  };
  const failure = (promise: Promise<unknown>): Promise<ApiException<string>> =>
    promise.then(
      () => expect.fail('the request was admitted'),
      (error: ApiException<string>) => error,
    );

  describe('webhooks', () => {
    /** A configuration of one webhook for the ConfigMaps of the namespace `default`. */
    const configuration = (kind: string, path: string, sideEffects = 'None') => ({
      apiVersion: GROUP,
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: path.slice(1) },
      webhooks: [
        {
          name: `${path.slice(1)}.example.net`,
          admissionReviewVersions: ['v1'],
          sideEffects,
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
          ],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
          clientConfig: { url: `${webhooks.url}${path}`, caBundle: webhooks.caBundle },
        },
      ],
    });
    const labels = (name: string) => kubectl.run(`get configmap ${name} -o jsonpath={.metadata.labels}`);
    beforeAll(async () => {
      await apply(configuration('Mutating', '/label'));
      await apply(configuration('Validating', '/check'));
    });
    afterAll(() => kubectl.run('delete mutatingwebhookconfigurations,validatingwebhookconfigurations --all'));

    it('shows what a mutating webhook changed, and the warning of a validating one', async () => {
      webhooks.calls.length = 0;
      expect(await create('configmap plain')).toEqual({
        code: 0,
        stdout: 'configmap/plain created\n',
        stderr: 'Warning: plain will be checked more strictly\n',
      });
      expect(await labels('plain')).toBe('{"injected":"yes"}');
      expect(webhooks.calls.map((call) => call.path)).toEqual(['/label', '/check']);
      const checked = reviewOf(webhooks.calls[1]!);
      expect(checked).toMatchObject({ operation: 'CREATE', dryRun: false });
      expect(checked.object.metadata.labels).toEqual({ injected: 'yes' });
      const { stdout } = await create('configmap shown -o jsonpath={.metadata.labels}');
      expect(stdout).toBe('{"injected":"yes"}');
    });

    it('adds to the labels that an applied object has', async () => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own', labels: { own: '1' } } };
      expect((await pipe('apply --server-side -f -', object)).stdout).toContain('serverside-applied');
      expect(JSON.parse(await labels('own'))).toEqual({ injected: 'yes', own: '1' });
    });

    it('prints the denial, and asks about the selected namespace only', async () => {
      expect(await create('configmap forbidden')).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'error: failed to create configmap: admission webhook "check.example.net" denied the request: this name is taken\n',
      });
      expect((await kubectl.try(['get', 'configmap', 'forbidden'])).stderr).toContain('not found');
      expect(await create('configmap forbidden -n kube-public')).toMatchObject({ code: 0, stderr: '' });
    });

    it('tells the client library the code and the message', async () => {
      const body = { metadata: { name: 'forbidden-too' } };
      const refused = await failure(
        config.makeApiClient(CoreV1Api).createNamespacedConfigMap({ namespace: 'default', body }),
      );
      expect(refused.code).toBe(422);
      expect(JSON.parse(refused.body)).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        code: 422,
        reason: 'Invalid',
        message: 'admission webhook "check.example.net" denied the request: this name is taken',
      });
    });

    it('calls webhooks in a dry run only if they have no side effects', async () => {
      const dryRun = (name: string) =>
        pipe('apply --dry-run=server -o jsonpath={.metadata.labels.injected} -f -', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name },
        });
      webhooks.calls.length = 0;
      expect(await dryRun('tried')).toMatchObject({ code: 0, stdout: 'yes' });
      expect(webhooks.calls.map((call) => [call.path, reviewOf(call).dryRun])).toEqual([
        ['/label', true],
        ['/check', true],
      ]);
      expect((await dryRun('forbidden')).stderr).toContain('denied the request: this name is taken');
      expect((await kubectl.try(['get', 'configmap', 'tried'])).stderr).toContain('not found');

      // A webhook that has side effects in a dry run cannot be configured in v1.
      expect((await pipe('apply -f -', configuration('Validating', '/check', 'Some'))).stderr).toContain(
        'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      );
      await apply(configuration('Validating', '/check', 'NoneOnDryRun'));
      expect(await dryRun('tried')).toMatchObject({ code: 0, stdout: 'yes' });
    });
  });

  describe('policies', () => {
    const submit = (name: string, replicas: number, words = 'create -f -') =>
      pipe(words, deployment(name, replicas));
    const TEXT = "ValidatingAdmissionPolicy 'replicas' with binding 'replicas-default'";
    const warning = (name: string) => `Warning: Validation failed for ${TEXT}: ${name} has 6 of 5\n`;
    const dryRun = () => submit('probe', 6, 'create --dry-run=server -f -');
    beforeAll(async () => {
      await kubectl.run('create configmap limits --from-literal=maximum=5');
      await apply(policy);
      await apply(binding('Deny'));
      await until(async () => (await dryRun()).code === 1, 'the policy to be in force');
    });

    it('denies with the message of the expression', async () => {
      expect(await submit('web', 6)).toEqual({
        code: 1,
        stdout: '',
        stderr: `The deployments "web" is invalid: : ${TEXT} denied request: web has 6 of 5\n`,
      });
      expect(await submit('web', 5)).toMatchObject({ code: 0, stderr: '' });
      const scaled = await kubectl.try(['patch', 'deploy', 'web', '-p', '{"spec":{"replicas":7}}']);
      expect(scaled.stderr).toContain('denied request: web has 7 of 5');
      expect(await kubectl.run('get deployment web -o jsonpath={.spec.replicas}')).toBe('5');
    });

    it('tells the client library the code and the message', async () => {
      const body = deployment('large', 6);
      const refused = await failure(
        config.makeApiClient(AppsV1Api).createNamespacedDeployment({ namespace: 'default', body }),
      );
      expect(refused.code).toBe(422);
      expect(JSON.parse(refused.body) as V1Status).toMatchObject({
        status: 'Failure',
        reason: 'Invalid',
        code: 422,
        message: `deployments.apps "large" is forbidden: ${TEXT} denied request: large has 6 of 5`,
        details: { group: 'apps', kind: 'deployments', name: 'large' },
      });
    });

    it('follows its parameter', async () => {
      const limit = (maximum: string) =>
        kubectl.run(`patch configmap limits --type=merge -p {"data":{"maximum":"${maximum}"}}`);
      await limit('6');
      await until(async () => (await dryRun()).code === 0, 'the new limit');
      await limit('5');
      await until(async () => (await dryRun()).code === 1, 'the old limit');
    });

    it('warns with the action Warn, and lets pass without a binding', async () => {
      await apply(binding('Warn'));
      await until(async () => (await dryRun()).code === 0, 'the changed binding');
      expect(await submit('warned', 6)).toEqual({
        code: 0,
        stdout: 'deployment.apps/warned created\n',
        stderr: warning('warned'),
      });
      await kubectl.run('delete validatingadmissionpolicybinding replicas-default');
      await until(async () => (await dryRun()).stderr === '', 'the end of the binding');
      expect(await submit('free', 6)).toEqual({
        code: 0,
        stdout: 'deployment.apps/free created\n',
        stderr: '',
      });
    });
  });
});
