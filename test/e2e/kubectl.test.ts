import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { until } from './support/until.ts';

const WEB_APP = 'examples/web-app';
const KINDS = 'deployments,services,ingresses,configmaps,secrets,cronjobs,roles,rolebindings,serviceaccounts';

describe.skipIf(!hasKubectl)('kubectl', () => {
  const server = new BuiltServer();
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    await kubectl.run(`apply -f ${WEB_APP}/namespace.yaml`);
    await kubectl.run(`apply -f ${WEB_APP}`);
  });
  afterAll(() => server.remove());

  it('applies manifests idempotently', async () => {
    const again = await kubectl.run(`apply -f ${WEB_APP}`);
    expect(
      again
        .trim()
        .split('\n')
        .filter((line) => !line.endsWith(' unchanged')),
    ).toEqual([]);
    expect(again).toContain('deployment.apps/web unchanged');
  });

  it('applies on the server, and names the owner of a conflicting field', async () => {
    expect(await kubectl.run(`apply --server-side --force-conflicts -f ${WEB_APP}/web.yaml`)).toContain(
      'deployment.apps/web serverside-applied',
    );
    const changed =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web, namespace: shop }\nspec: { replicas: 9 }\n';
    const refused = await kubectl.try(['apply', '--server-side', '--field-manager=somebody', '-f', '-'], {
      input: changed,
    });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('conflict with "kubectl"');
  });

  it('finds no difference between a manifest and its object', async () => {
    expect(await kubectl.run(`diff -f ${WEB_APP}/clean-up.yaml`)).toBe('');
  });

  it('prints the columns of each kind', async () => {
    expect(await kubectl.run('get deployments -n shop')).toMatch(
      /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/3 /,
    );
    expect(await kubectl.run('get services -n shop')).toMatch(
      /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE\nweb +ClusterIP +10\.\d+\.\d+\.\d+ +<none> +80\/TCP /,
    );
    expect(await kubectl.run('get ingresses -n shop')).toMatch(
      /^NAME +CLASS +HOSTS +ADDRESS +PORTS +AGE\nweb +<none> +shop\.example\.com /,
    );
    expect(await kubectl.run('get cronjobs -n shop')).toMatch(
      /^NAME +SCHEDULE +TIMEZONE +SUSPEND +ACTIVE +LAST SCHEDULE +AGE\nclean-up +15 3 \* \* \* /,
    );
    expect(await kubectl.run('get configmaps,secrets -n shop')).toMatch(
      /configmap\/web-settings +3 [\s\S]*secret\/web-credentials +Opaque +1 /,
    );
    expect(await kubectl.run('get roles,rolebindings -n shop')).toMatch(
      /settings-reader[\s\S]*Role\/settings-reader/,
    );
    expect(await kubectl.run('get all -A')).toContain('deployment.apps/web');
  });

  it('shows objects as YAML and by JSON path', async () => {
    const text = await kubectl.run('get deployment web -n shop -o yaml');
    expect(text).toContain('maxUnavailable: 0');
    expect(text).toContain('terminationMessagePath: /dev/termination-log');
    expect(await kubectl.run('get secret web-credentials -n shop -o jsonpath={.data.database-url}')).toBe(
      Buffer.from('postgres://shop:change-me@database.shop.svc:5432/shop').toString('base64'),
    );
  });

  it('describes every kind of the example', async () => {
    const text = await kubectl.run(`describe ${KINDS} -n shop`);
    for (const expected of [
      'StrategyType:',
      'shop.example.com',
      'settings-reader',
      '15 3 * * *',
      'Type:  Opaque',
      'TargetPort:',
    ])
      expect(text).toContain(expected);
    expect(await kubectl.run('describe namespace shop')).toContain('app.kubernetes.io/part-of=shop');
  });

  it('edits with an editor', async () => {
    await kubectl.run('create configmap edited -n shop --from-literal=colour=red');
    const printed = await kubectl.run('edit configmap edited -n shop', {
      environment: { KUBE_EDITOR: 'sed -i s/red/green/' },
    });
    expect(printed).toContain('configmap/edited edited');
    expect(await kubectl.run('get configmap edited -n shop -o jsonpath={.data.colour}')).toBe('green');
  });

  it('labels, annotates, selects and scales', async () => {
    await kubectl.run('create configmap marked -n shop --from-literal=a=b');
    await kubectl.run('label configmap marked -n shop tier=front');
    await kubectl.run('annotate configmap marked -n shop note=kept');
    expect(await kubectl.run('get configmaps -n shop -l tier=front -o name')).toBe('configmap/marked\n');
    expect(await kubectl.run('get configmaps -n shop --field-selector metadata.name=marked -o name')).toBe(
      'configmap/marked\n',
    );
    await kubectl.run('label configmap marked -n shop tier-');
    expect(await kubectl.run('get configmaps -n shop -l tier -o name')).toBe('');
    expect(await kubectl.run('scale deployment web -n shop --replicas=5')).toContain('scaled');
    expect(await kubectl.run('get deployment web -n shop -o jsonpath={.spec.replicas}')).toBe('5');
    expect(
      await kubectl.run('set image deployment/web -n shop web=registry.example.com/shop/web:3.0.0'),
    ).toContain('image updated');
  });

  it('patches with each type', async () => {
    await kubectl.run('create configmap patched -n shop --from-literal=a=1');
    for (const [type, patch] of [
      ['merge', '{"data":{"b":"2"}}'],
      ['json', '[{"op":"add","path":"/data/c","value":"3"}]'],
      ['strategic', '{"data":{"d":"4"}}'],
    ])
      await kubectl.run(`patch configmap patched -n shop --type=${type} -p ${patch}`);
    expect(JSON.parse(await kubectl.run('get configmap patched -n shop -o jsonpath={.data}'))).toEqual({
      a: '1',
      b: '2',
      c: '3',
      d: '4',
    });
  });

  it('reads long lists in chunks', async () => {
    const maps = Array.from(
      { length: 23 },
      (_, index) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: chunk-${index}, labels: { chunk: "yes" } }\n`,
    );
    await kubectl.run('create -f -', { input: maps.join('---\n') });
    expect(
      (await kubectl.run('get configmaps -l chunk=yes --chunk-size=5 -o name')).trim().split('\n'),
    ).toHaveLength(23);
  });

  it('watches', async () => {
    await kubectl.run('create configmap watched -n shop --from-literal=a=1');
    const watch = kubectl.spawn([
      'get',
      'configmap',
      'watched',
      '-n',
      'shop',
      '-w',
      '-o',
      'jsonpath={.data.a},',
    ]);
    let seen = '';
    watch.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    try {
      await until(() => seen === '1,', 'the object as it is');
      await kubectl.run('patch configmap watched -n shop --type=merge -p {"data":{"a":"2"}}');
      await until(() => seen === '1,2,', 'its change');
    } finally {
      watch.kill();
    }
  });

  it('waits for fields, conditions and deletion', async () => {
    const waiting = kubectl.run('wait deployment/web -n shop --for=condition=Available --timeout=120s');
    // The controller sets the condition, and keeps it: a status that the test wrote would not last.
    await kubectl.run('scale deployment/web -n shop --replicas=0');
    expect(await waiting).toContain('condition met');
    await kubectl.run(
      'wait configmap/web-settings -n shop --for=jsonpath={.data.CURRENCY}=EUR --timeout=120s',
    );
    await kubectl.run('create configmap leaving -n shop');
    const gone = kubectl.run('wait configmap/leaving -n shop --for=delete --timeout=120s');
    await kubectl.run('delete configmap leaving -n shop');
    await gone;
  });

  it('explains types and lists resources', async () => {
    const text = await kubectl.run('explain deployment.spec.strategy');
    expect(text).toContain('GROUP:      apps');
    expect(text).toContain('rollingUpdate');
    const resources = await kubectl.run('api-resources');
    for (const line of [
      /^configmaps +cm +v1 +true +ConfigMap$/m,
      /^deployments +deploy +apps\/v1 +true +Deployment$/m,
      /^clusterroles +rbac\S+ +false +ClusterRole$/m,
    ])
      expect(resources).toMatch(line);
    expect(await kubectl.run('api-versions')).toContain('networking.k8s.io/v1\n');
    expect(await kubectl.run('version')).toMatch(/Server Version: v1\.32\./);
  });

  it('reports the errors of a manifest', async () => {
    const manifest =
      'apiVersion: v1\nkind: Service\nmetadata: { name: Wrong_Name }\nspec: { ports: [{ port: 80 }] }\n';
    const invalid = await kubectl.try(['apply', '-f', '-'], { input: manifest });
    expect(invalid.code).toBe(1);
    expect(invalid.stderr).toContain('The Service "Wrong_Name" is invalid: metadata.name: Invalid value');
    const unknown = await kubectl.try(['apply', '-f', '-'], {
      input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\ndta: { a: b }\n',
    });
    expect(unknown.stderr).toContain('unknown field "dta"');
    expect((await kubectl.try(['get', 'configmap', 'absent'])).stderr).toContain(
      'Error from server (NotFound): configmaps "absent" not found',
    );
  });

  it('limits a service account to its role', async () => {
    const token = (await kubectl.run('create token web -n shop')).trim();
    // Without the administrator's certificate, which would take precedence.
    const asAccount = [
      '--kubeconfig=/dev/null',
      `--server=${server.url}`,
      '--insecure-skip-tls-verify',
      `--token=${token}`,
      '-n',
      'shop',
    ];
    expect((await kubectl.try(['auth', 'can-i', 'get', 'configmaps', ...asAccount])).stdout).toBe('yes\n');
    expect((await kubectl.try(['auth', 'can-i', 'delete', 'configmaps', ...asAccount])).stdout).toBe('no\n');
    expect((await kubectl.try(['get', 'configmaps', '-o', 'name', ...asAccount])).stdout).toContain(
      'configmap/web-settings',
    );
    const refused = await kubectl.try(['delete', 'configmap', 'web-settings', ...asAccount]);
    expect(refused.stderr).toContain(
      'User "system:serviceaccount:shop:web" cannot delete resource "configmaps"',
    );
  });

  it('never falls back to the administrator for another user', async () => {
    await kubectl.run('create configmap spared -n shop');
    const result = await kubectl.try(
      'delete configmap spared -n shop --as=system:serviceaccount:shop:web'.split(' '),
    );
    expect(result.code).not.toBe(0);
    expect(await kubectl.run('get configmap spared -n shop -o name')).toBe('configmap/spared\n');
  });

  it('deletes by name, selector and file', async () => {
    await kubectl.run('create configmap one -n shop');
    await kubectl.run('create configmap two -n shop');
    await kubectl.run('label configmap two -n shop doomed=yes');
    expect(await kubectl.run('delete configmap one -n shop')).toContain('configmap "one" deleted');
    expect(await kubectl.run('delete configmaps -n shop -l doomed=yes')).toContain('configmap "two" deleted');
    await kubectl.run(`delete -f ${WEB_APP}/clean-up.yaml`);
    expect((await kubectl.try(['get', 'cronjob', 'clean-up', '-n', 'shop'])).stderr).toContain('NotFound');
  });
});
