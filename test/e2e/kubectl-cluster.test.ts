import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { hasOpenssl, signingRequest } from './support/signing-request.ts';

describe.skipIf(!hasKubectl)('kubectl and the cluster', () => {
  const server = new BuiltServer(['--disable-admission-plugins=ServiceAccount', '--controllers=-*']);
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    const pod = (name: string, more: object, metadata = {}) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', ...metadata },
        spec: { containers: [{ name: 'c', image: 'i' }], ...more },
      });
    const owned = {
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'absent', uid: 'u', controller: true },
      ],
    };
    await kubectl.run('create -f -', {
      input: [
        JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }),
        pod('bare', { nodeName: 'n1' }, { labels: { app: 'x' } }),
        pod('agent', { nodeName: 'n1' }, owned),
        pod('elsewhere', {}),
      ].join('\n'),
    });
  });
  afterAll(() => server.remove());

  const value = (what: string, path: string): Promise<string> =>
    kubectl.run(`get ${what} -o jsonpath={${path}}`);
  const failing = async (words: string): Promise<string> => {
    const { code, stderr } = await kubectl.try(words.split(' '));
    expect(code).not.toBe(0);
    return stderr;
  };

  it('taints and untaints nodes', async () => {
    await kubectl.run('taint node n1 dedicated=a:NoSchedule dedicated=b:NoExecute');
    expect(await failing('taint node n1 dedicated=c:NoSchedule')).toContain(
      'already has dedicated taint(s) with same effect(s) and --overwrite is false',
    );
    await kubectl.run('taint node n1 dedicated=c:NoSchedule --overwrite');
    expect(await value('node/n1', '.spec.taints[*].value')).toContain('c');
    await kubectl.run('taint node n1 dedicated-');
    expect(await value('node/n1', '.spec.taints[*].key')).toBe('node.kubernetes.io/not-ready');
  });

  it('cordons, drains in a dry run, and uncordons', async () => {
    expect(await kubectl.run('cordon n1')).toBe('node/n1 cordoned\n');
    expect(await kubectl.run('cordon n1')).toBe('node/n1 already cordoned\n');
    expect(await kubectl.run('get node n1')).toContain('SchedulingDisabled');
    expect(await failing('drain n1 --dry-run=client')).toContain(
      'cannot delete Pods that declare no controller',
    );
    for (const way of ['client', 'server']) {
      const printed = await kubectl.run(`drain n1 --force --ignore-daemonsets --dry-run=${way}`);
      expect(printed).toContain('evicting pod default/bare');
      expect(printed).not.toContain('elsewhere');
    }
    expect(await kubectl.run('get pods -o name')).toBe('pod/agent\npod/bare\npod/elsewhere\n');
    expect(await kubectl.run('uncordon n1')).toBe('node/n1 uncordoned\n');
  });

  it('labels and annotates, and overwrites only with --overwrite', async () => {
    for (const verb of ['label', 'annotate']) {
      await kubectl.run(`${verb} pod bare colour=red`);
      expect(await failing(`${verb} pod bare colour=blue`)).toContain('already has a value (red)');
      expect(await kubectl.run(`${verb} pod bare colour=blue --overwrite --dry-run=server`)).toContain(
        '(server dry run)',
      );
      await kubectl.run(`${verb} pod bare colour=green --overwrite`);
      await kubectl.run(`${verb} pods --all everywhere=yes`);
    }
    expect(await value('pod/bare', '.metadata.labels.colour}/{.metadata.annotations.colour')).toBe(
      'green/green',
    );
    expect(await kubectl.run('get pods -l everywhere=yes,colour!=green -o name')).toBe(
      'pod/agent\npod/elsewhere\n',
    );
    const version = await value('pod/bare', '.metadata.resourceVersion');
    await kubectl.run(`label pod bare once=yes --resource-version=${version}`);
    expect(await failing(`label pod bare twice=yes --resource-version=${version}`)).toContain(
      'the object has been modified',
    );
    expect(await failing('label pod bare Not*valid=x')).toContain('Not*valid');
  });

  it('creates tokens for service accounts', async () => {
    await kubectl.run('create serviceaccount robot');
    const token = (await kubectl.run('create token robot --duration=1h --audience=vault')).trim();
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
      aud: string[];
      sub: string;
      exp: number;
      iat: number;
    };
    expect(claims).toMatchObject({ aud: ['vault'], sub: 'system:serviceaccount:default:robot' });
    expect(claims.exp - claims.iat).toBe(3600);
    expect(await failing('create token robot --duration=5m')).toContain(
      'may not specify a duration less than 10 minutes',
    );
    expect(await failing('create token nobody')).toContain('serviceaccounts "nobody" not found');
  });

  it.skipIf(!hasOpenssl)('approves and denies certificate requests', async () => {
    for (const name of ['ann', 'bob']) {
      const spec = {
        request: signingRequest(name),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
        expirationSeconds: 86_400,
      };
      await kubectl.run('create -f -', {
        input: JSON.stringify({
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name },
          spec,
        }),
      });
    }
    expect(await kubectl.run('certificate approve ann')).toBe(
      'certificatesigningrequest.certificates.k8s.io/ann approved\n',
    );
    expect(await kubectl.run('certificate deny bob')).toBe(
      'certificatesigningrequest.certificates.k8s.io/bob denied\n',
    );
    expect(await failing('certificate deny ann')).toContain('is already Approved');
    expect(await kubectl.run('get csr')).toMatch(/ann .*24h +Approved\nbob .*24h +Denied/);
  });

  it('waits for fields, creation and conditions', async () => {
    await kubectl.run('create configmap awaited --from-literal=state=new');
    const waiting = kubectl.run('wait configmap/awaited --for=jsonpath={.data.state}=ready --timeout=25s');
    await kubectl.run('patch configmap awaited --type=merge -p {"data":{"state":"ready"}}');
    expect(await waiting).toContain('condition met');
    const creation = kubectl.run('wait configmap/later --for=create --timeout=25s');
    await kubectl.run('create configmap later');
    expect(await creation).toContain('condition met');
    expect(await failing('wait configmap/awaited --for=jsonpath={.data.state}=never --timeout=1s')).toContain(
      'timed out waiting for the condition',
    );
  });

  it('creates each kind that has a create command, first in a dry run', async () => {
    const credential = join(server.directory, 'credential.json');
    writeFileSync(credential, '{"auths":{}}');
    for (const words of [
      'quota some --hard=pods=3,requests.cpu=2',
      'poddisruptionbudget some --selector=app=x --min-available=1',
      'clusterrole some --verb=get --non-resource-url=/metrics/*',
      'clusterrole sum --aggregation-rule=a=b',
      'clusterrolebinding some --clusterrole=some --user=ann',
      'job some --image=busybox -- true',
      'cronjob some --image=busybox --schedule=@daily -- true',
      'job again --from=cronjob/some',
      'ingress some --rule=example.com/api*=svc:http,tls=secret --annotation=a=b',
      'deployment some --image=a:1 --replicas=0 --port=80',
      'priorityclass some --value=5 --preemption-policy=Never',
      'service clusterip none --clusterip=None',
      'service nodeport node --tcp=80:8080',
      'service loadbalancer balanced --tcp=443',
      'service externalname outside --external-name=example.com',
      `secret generic some --from-file=.dockerconfigjson=${credential} --type=kubernetes.io/dockerconfigjson`,
    ]) {
      expect(
        await kubectl.run(
          `create ${words.replace(/ -- true$/, '')} --dry-run=server${words.endsWith(' -- true') ? ' -- true' : ''}`,
        ),
      ).toContain('(server dry run)');
      expect(await kubectl.run(`create ${words}`)).toContain('created');
    }
  });

  it('runs a pod with its service, and adds a debug container', async () => {
    expect(await kubectl.run('run web --image=nginx --port=80 --expose --labels=app=web')).toBe(
      'service/web created\npod/web created\n',
    );
    expect(await value('service/web', '.spec.selector.app')).toBe('web');
    await kubectl.run('debug web --image=busybox --target=web --profile=general');
    expect(await value('pod/web', '.spec.ephemeralContainers[0].targetContainerName')).toBe('web');
    expect(await kubectl.run('delete pod web --now --dry-run=server')).toContain('(server dry run)');
    await kubectl.run('delete pod web --force --grace-period=0');
  });
});
