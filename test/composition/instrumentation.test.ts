import { describe, expect, it } from 'vitest';
import {
  measureAuthentication,
  measureAuthorizer,
  measurePlugin,
  measureWatches,
} from '../../src/composition/instrumentation.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';
import { BY_KIND, BY_RESOURCE } from '../../src/observability/resource-labels.ts';
import type { AdmissionRequest } from '../../src/request/admission.ts';
import type { Attributes, Decision } from '../../src/request/attributes.ts';
import { NO_EXTRA } from '../../src/request/user.ts';
import { builtinResourceSet } from '../support/builtin-kinds.ts';

const credentials = {
  header: () => undefined,
  headerValues: () => [],
  headers: () => [],
  peerCertificates: undefined,
  path: '/',
};
const found = (name: string) => ({ user: { name, uid: '', groups: [], extra: NO_EXTRA } });

async function shown(
  { registry }: ReturnType<typeof createServerMetrics>,
  pattern: RegExp,
): Promise<string[]> {
  return (await exposition(registry)).split('\n').filter((line) => pattern.test(line));
}

describe('instrumentation', () => {
  it('passes on the present generation of a plugin', () => {
    const plugin = { name: 'p', generation: 1, handles: () => true };
    const measured = measurePlugin(plugin, createServerMetrics());
    plugin.generation = 2;
    expect(measured.generation).toBe(2);
    const { generation: _, ...compiled } = plugin;
    expect(measurePlugin(compiled, createServerMetrics()).generation).toBeUndefined();
  });

  it('counts authentications, synchronous or not', async () => {
    const metrics = createServerMetrics();
    const sync = measureAuthentication(() => found('admin'), metrics);
    const late = measureAuthentication(async () => found('bob@example.com'), metrics);
    expect(sync(credentials)).toEqual(found('admin'));
    await late(credentials);
    expect(measureAuthentication(() => undefined, metrics)(credentials)).toBeUndefined();
    const refuse = () => {
      throw new Error('bad token');
    };
    expect(() => measureAuthentication(refuse, metrics)(credentials)).toThrow('bad token');
    await expect(measureAuthentication(async () => refuse(), metrics)(credentials)).rejects.toThrow(
      'bad token',
    );
    expect(await shown(metrics, /^authenticat(ion_attempts|ed_user_requests)\{/)).toEqual([
      'authenticated_user_requests{username="admin"} 1',
      'authenticated_user_requests{username="email_id"} 1',
      'authentication_attempts{result="error"} 2',
      'authentication_attempts{result="failure"} 1',
      'authentication_attempts{result="success"} 2',
    ]);
  });

  it('counts decisions of an authorizer, without "no opinion"', async () => {
    const metrics = createServerMetrics();
    const decisions: Decision[] = ['allow', 'allow', 'deny', 'no-opinion'];
    for (const decision of decisions) {
      const result = { decision, reason: '' };
      const authorizer = measureAuthorizer(
        'RBAC',
        { name: 'rbac', authorize: () => (decision === 'deny' ? Promise.resolve(result) : result) },
        metrics,
      );
      expect(await authorizer.authorize({} as Attributes)).toBe(result);
      expect(authorizer.rulesFor).toBeUndefined();
    }
    expect(await shown(metrics, /^apiserver_authorization_decisions_total\{/)).toEqual([
      'apiserver_authorization_decisions_total{decision="allowed",name="rbac",type="RBAC"} 2',
      'apiserver_authorization_decisions_total{decision="denied",name="rbac",type="RBAC"} 1',
    ]);
  });

  it('measures the duration of admission, with rejections separate', async () => {
    const metrics = createServerMetrics();
    const plugin = measurePlugin(
      {
        name: 'Example',
        handles: () => true,
        admit: () => undefined,
        validate: async () => {
          throw new Error('no');
        },
      },
      metrics,
    );
    const request = { operation: 'CREATE' } as AdmissionRequest;
    expect(plugin.handles('CREATE', '', 'pods', '')).toBe(true);
    await plugin.admit?.(request);
    await expect(plugin.validate?.(request)).rejects.toThrow('no');
    expect(await shown(metrics, /^apiserver_admission_controller_admission_duration_seconds_count/)).toEqual([
      expect.stringMatching(/name="Example",operation="CREATE",rejected="false",type="admit"\} 1$/),
      expect.stringMatching(/name="Example",operation="CREATE",rejected="true",type="validate"\} 1$/),
    ]);
  });

  it.each([
    ['kind', 'Pod', BY_KIND],
    ['resource', 'pods', BY_RESOURCE],
  ] as const)('counts watch events by %s', async (label, value, labels) => {
    const metrics = createServerMetrics(undefined, undefined, labels);
    const count = measureWatches(metrics)(builtinResourceSet().find('', 'v1', 'pods')!);
    count(2000);
    count(500);
    expect(await shown(metrics, /^apiserver_watch_events_(total|sizes_sum)\{/)).toEqual([
      `apiserver_watch_events_sizes_sum{group="",${label}="${value}",version="v1"} 2500`,
      `apiserver_watch_events_total{group="",${label}="${value}",version="v1"} 2`,
    ]);
  });
});
