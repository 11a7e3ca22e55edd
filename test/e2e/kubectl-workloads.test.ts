import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';

const IN = '-n platform';
const TEMPLATE = '.spec.template.spec';

/** Returns the ReplicaSet or ControllerRevision that a workload's controller would create for a revision. */
function revisionOf(kind: string, name: string, uid: string, number: number): string {
  const metadata = {
    name: `${name}-${number}`,
    namespace: 'platform',
    labels: { app: name, 'pod-template-hash': `h${number}` },
    annotations: {
      'deployment.kubernetes.io/revision': String(number),
      'kubernetes.io/change-cause': `cause ${number}`,
    },
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }],
  };
  const containers = [{ name, image: `registry.example.com/revision:${number}` }];
  if (kind !== 'Deployment') {
    const template = { $patch: 'replace', metadata: { labels: { app: name } }, spec: { containers } };
    return JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata,
      revision: number,
      data: { spec: { template } },
    });
  }
  const template = { metadata: { labels: metadata.labels }, spec: { containers } };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata,
    spec: { selector: { matchLabels: metadata.labels }, template },
  });
}

describe.skipIf(!hasKubectl)('kubectl and workloads', () => {
  const server = new BuiltServer(['--disable-admission-plugins=ServiceAccount', '--controllers=-*']);
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    await kubectl.run('apply -f test/e2e/manifests/platform.yaml');
  });
  afterAll(() => server.remove());

  const value = (what: string, path: string): Promise<string> =>
    kubectl.run(`get ${what} ${IN} -o jsonpath={${path}}`);

  it('sets images, variables, resources and service accounts', async () => {
    expect(
      await kubectl.run(
        `set image deployment/api ${IN} api=registry.example.com/platform/api:2 proxy=registry.example.com/platform/proxy:2`,
      ),
    ).toBe('deployment.apps/api image updated\n');
    expect(await value('deployment/api', `${TEMPLATE}.containers[*].image`)).toBe(
      'registry.example.com/platform/api:2 registry.example.com/platform/proxy:2',
    );
    await kubectl.run(`set env deployment/api ${IN} -c api MODE=slow EXTRA=1 LOG_LEVEL-`);
    expect(await value('deployment/api', `${TEMPLATE}.containers[0].env`)).toBe(
      '[{"name":"MODE","value":"slow"},{"name":"EXTRA","value":"1"}]',
    );
    await kubectl.run(`set env deployment/api ${IN} -c proxy --from=configmap/settings`);
    // kubectl adds the keys of a ConfigMap in no fixed order.
    const keys = await value(
      'deployment/api',
      `${TEMPLATE}.containers[1].env[*].valueFrom.configMapKeyRef.key`,
    );
    expect(keys.split(' ').sort()).toEqual(['log-level', 'ports']);
    await kubectl.run(
      `set resources deployment/api ${IN} -c api --limits=cpu=1.5,memory=1024Mi --requests=cpu=0`,
    );
    expect(JSON.parse(await value('deployment/api', `${TEMPLATE}.containers[0].resources`))).toEqual({
      limits: { cpu: '1500m', memory: '1Gi' },
      requests: { cpu: '0', memory: '64Mi' },
    });
    await kubectl.run(`set serviceaccount deployment/api ${IN} runner`);
    expect(await value('deployment/api', `${TEMPLATE}.serviceAccountName`)).toBe('runner');
  });

  it('sets selectors and subjects', async () => {
    await kubectl.run(`set selector service api ${IN} app=api,track=stable`);
    expect(JSON.parse(await value('service/api', '.spec.selector'))).toEqual({ app: 'api', track: 'stable' });
    await kubectl.run(`create role reader ${IN} --verb=get,list --resource=pods,deployments.apps/scale`);
    await kubectl.run(`create rolebinding readers ${IN} --role=reader --user=ann`);
    await kubectl.run(`set subject rolebinding readers ${IN} --group=team --serviceaccount=platform:runner`);
    expect(await value('rolebinding/readers', '.subjects[*].kind')).toBe('User Group ServiceAccount');
  });

  it('scales with a precondition, through the subresource', async () => {
    expect(await kubectl.run(`scale deployment/api statefulset/store ${IN} --replicas=4`)).toBe(
      'deployment.apps/api scaled\nstatefulset.apps/store scaled\n',
    );
    const refused = await kubectl.try(
      `scale deployment/api ${IN} --current-replicas=3 --replicas=9`.split(' '),
    );
    expect(refused.stderr).toContain('Expected replicas to be 3, was 4');
    const negative = await kubectl.try(
      `patch deployment api ${IN} --subresource=scale --type=merge -p {"spec":{"replicas":-1}}`.split(' '),
    );
    expect(negative.stderr).toContain('spec.replicas: Invalid value: -1: must be greater than or equal to 0');
    expect(
      await kubectl.run(
        `get deployment api ${IN} --subresource=scale -o jsonpath={.kind}/{.spec.replicas}/{.status.selector}`,
      ),
    ).toBe('Scale/4/app=api');
    expect(await kubectl.run(`get deployment api ${IN} --subresource=scale`)).toMatch(
      /^NAME +DESIRED +AVAILABLE +AGE\napi +4 +0 /,
    );
  });

  it.each(['merge', 'json', 'strategic'])('patches object, status and scale: %s', async (type) => {
    const patch = (path: string, to: unknown): string => {
      if (type === 'json')
        return JSON.stringify([{ op: 'add', path: `/${path.replaceAll('.', '/')}`, value: to }]);
      return JSON.stringify(path.split('.').reduceRight((inner, name) => ({ [name]: inner }), to as object));
    };
    const send = (target: string, path: string, to: unknown) =>
      kubectl.run(`patch deployment api ${IN} ${target}--type=${type} -p ${patch(path, to)}`);
    const replicas = type.length;
    expect(await send('', 'spec.paused', true)).toBe('deployment.apps/api patched\n');
    expect(await send('', 'spec.paused', true)).toBe('deployment.apps/api patched (no change)\n');
    await send('--subresource=scale ', 'spec.replicas', replicas);
    await send('--subresource=status ', 'status', { replicas, observedGeneration: 1 });
    expect(await value('deployment/api', '.spec.paused}/{.spec.replicas}/{.status.replicas')).toBe(
      `true/${replicas}/${replicas}`,
    );
    await send('', 'spec.paused', false);
  });

  it('follows, pauses, restarts and resumes a rollout', async () => {
    expect(await kubectl.run(`rollout pause deployment/api ${IN}`)).toContain('paused');
    expect((await kubectl.try(`rollout pause deployment/api ${IN}`.split(' '))).stderr).toContain(
      'already paused',
    );
    expect(await kubectl.run(`rollout resume deployment/api ${IN}`)).toContain('resumed');
    for (const workload of ['deployment/api', 'statefulset/store', 'daemonset/agent']) {
      expect(await kubectl.run(`rollout restart ${workload} ${IN}`)).toContain('restarted');
      expect(
        await value(workload, '.spec.template.metadata.annotations.kubectl\\.kubernetes\\.io/restartedAt'),
      ).toMatch(/^\d{4}-/);
    }
    const generation = Number(await value('deployment/api', '.metadata.generation'));
    const done = {
      observedGeneration: generation,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
    };
    const following = kubectl.run(`rollout status deployment/api ${IN} --timeout=25s`);
    await kubectl.run(`scale deployment/api ${IN} --replicas=2`);
    await kubectl.run(
      `patch deployment api ${IN} --subresource=status --type=merge -p ${JSON.stringify({ status: { ...done, observedGeneration: generation + 1 } })}`,
    );
    expect(await following).toContain('deployment "api" successfully rolled out');
  });

  it.each([
    ['Deployment', 'api'],
    ['StatefulSet', 'store'],
    ['DaemonSet', 'agent'],
  ])('shows the history of a %s and rolls back', async (kind, name) => {
    const workload = `${kind}/${name}`;
    const uid = await value(workload, '.metadata.uid');
    await kubectl.run('create -f -', {
      input: [1, 2].map((number) => revisionOf(kind, name, uid, number)).join('\n'),
    });
    expect(await kubectl.run(`rollout history ${workload} ${IN}`)).toMatch(
      /REVISION +CHANGE-CAUSE\n1 +cause 1\n2 +cause 2\n/,
    );
    expect(await kubectl.run(`rollout history ${workload} ${IN} --revision=1`)).toContain(
      'registry.example.com/revision:1',
    );
    expect(await kubectl.run(`rollout undo ${workload} ${IN} --to-revision=1 --dry-run=server`)).toContain(
      '(server dry run)',
    );
    expect(await value(workload, `${TEMPLATE}.containers[0].image`)).not.toContain('revision');
    expect(await kubectl.run(`rollout undo ${workload} ${IN} --to-revision=1`)).toContain('rolled back');
    expect(await value(workload, `${TEMPLATE}.containers[*].image`)).toBe('registry.example.com/revision:1');
  });

  it('autoscales and exposes', async () => {
    await kubectl.run(`autoscale deployment/api ${IN} --min=2 --max=5 --cpu-percent=80`);
    expect(await kubectl.run(`get hpa ${IN}`)).toMatch(
      /\napi +Deployment\/api +cpu: <unknown>\/80% +2 +5 +0 /,
    );
    expect(
      await kubectl.run(
        `get horizontalpodautoscalers.v1.autoscaling api ${IN} -o jsonpath={.spec.targetCPUUtilizationPercentage}`,
      ),
    ).toBe('80');
    await kubectl.run(
      `expose deployment/api ${IN} --name=outside --type=NodePort --port=443 --target-port=8080`,
    );
    expect(
      await value('service/outside', '.spec.ports[0].port}/{.spec.ports[0].targetPort}/{.spec.selector.app'),
    ).toBe('443/8080/api');
    expect(Number(await value('service/outside', '.spec.ports[0].nodePort'))).toBeGreaterThanOrEqual(30_000);
  });

  it('edits an object, and reports a rejected edit', async () => {
    const edit = (script: string, words = '') =>
      kubectl.try(`edit deployment api ${IN}${words}`.split(' '), {
        environment: { KUBE_EDITOR: `sed -i ${script}` },
      });
    expect(
      (await edit('s/terminationGracePeriodSeconds:.30/terminationGracePeriodSeconds:\\ 5/')).stdout,
    ).toContain('deployment.apps/api edited');
    expect(await value('deployment/api', `${TEMPLATE}.terminationGracePeriodSeconds`)).toBe('5');
    expect((await edit('s/absent/present/')).stderr).toContain('Edit cancelled, no changes made.');
    expect(
      (await edit('s/observedGeneration:.*/observedGeneration:\\ 77/', ' --subresource=status')).stdout,
    ).toContain('edited');
    expect(await value('deployment/api', '.status.observedGeneration')).toBe('77');
    const invalid = await edit('s/restartPolicy:.Always/restartPolicy:\\ Never/');
    expect(invalid.stderr).toContain('deployments.apps "api" is invalid');
  });

  it('deletes a workload without its dependents', async () => {
    expect(await kubectl.run(`delete deployment api ${IN} --cascade=orphan --dry-run=server`)).toContain(
      '(server dry run)',
    );
    await kubectl.run(`delete deployment api ${IN} --cascade=orphan --wait=false`);
    expect(await value('deployment/api', '.metadata.finalizers')).toBe('["orphan"]');
    expect(await value('replicaset/api-1', '.metadata.deletionTimestamp')).toBe('');
    await kubectl.run(`delete daemonset agent ${IN} --cascade=foreground --wait=false`);
    expect(await value('daemonset/agent', '.metadata.finalizers')).toBe('["foregroundDeletion"]');
    await kubectl.run(`delete statefulset store ${IN} --cascade=background`);
    expect((await kubectl.try(`get statefulset store ${IN}`.split(' '))).stderr).toContain('NotFound');
  });
});
