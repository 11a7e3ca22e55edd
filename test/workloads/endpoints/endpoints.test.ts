import { describe, expect, it } from 'vitest';
import type { Endpoints } from '../../../src/model/generated/core-v1.ts';
import { changedEndpoints, electsLeader } from '../../../src/workloads/endpoints/endpoints.ts';
import { endpointPod, service } from '../service-pods/objects.ts';

const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';
const TRUNCATED = 'endpoints.kubernetes.io/over-capacity';

const many = (count: number, ready: boolean) =>
  Array.from({ length: count }, (_, index) =>
    endpointPod(`${ready ? 'ready' : 'unready'}-${index}`, {
      addresses: [`10.${ready ? 1 : 2}.${index >> 8}.${index & 255}`],
      ...(!ready && { ready: undefined as never }),
    }),
  );

describe('the Endpoints of a Service', () => {
  it('have the labels of the Service, one that says whether it is headless, and the trigger time', () => {
    const current: Endpoints = {
      metadata: {
        namespace: 'ns',
        name: 'web',
        uid: 'endpoints',
        labels: { old: 'x' },
        annotations: { mine: 'y', [TRIGGER]: 'then' },
      },
    };
    const labelled = service({ clusterIP: 'None' }, { labels: { app: 'web' } });
    expect(changedEndpoints(labelled, [endpointPod('a')], current, undefined)).toEqual({
      metadata: {
        namespace: 'ns',
        name: 'web',
        uid: 'endpoints',
        labels: { app: 'web', 'service.kubernetes.io/headless': '' },
        annotations: { mine: 'y' },
      },
      subsets: [
        {
          addresses: [
            {
              ip: '10.0.0.1',
              nodeName: 'n',
              targetRef: { kind: 'Pod', namespace: 'ns', name: 'a', uid: 'a' },
            },
          ],
          ports: [{ port: 8080, protocol: 'TCP' }],
        },
      ],
    });
    const created = changedEndpoints(service(), [], undefined, 'now');
    expect(created).toEqual({
      metadata: { namespace: 'ns', name: 'web', labels: {}, annotations: { [TRIGGER]: 'now' } },
      subsets: [],
    });
  });

  it('are not written again when nothing has changed', () => {
    const pods = [endpointPod('a'), endpointPod('b', { addresses: ['10.0.0.2'] })];
    const written = changedEndpoints(service({ clusterIP: 'None' }), pods, undefined, 'now')!;
    expect(
      changedEndpoints(service({ clusterIP: 'None' }), [...pods].reverse(), written, 'later'),
    ).toBeUndefined();
    expect(changedEndpoints(service({ clusterIP: 'None' }), pods.slice(1), written, 'later')).toBeDefined();
  });

  it('leave out addresses beyond 1,000, those first that are not ready, and say so', () => {
    const pods = [...many(990, true), ...many(20, false)];
    const written = changedEndpoints(service(), pods, undefined, undefined)!;
    expect(written.metadata?.annotations).toEqual({ [TRUNCATED]: 'truncated' });
    expect(written.subsets).toMatchObject([
      { addresses: { length: 990 }, notReadyAddresses: { length: 10 } },
    ]);
    expect(changedEndpoints(service(), pods, written, undefined)).toBeUndefined();
    const fewer = changedEndpoints(service(), pods.slice(0, 1000), written, undefined)!;
    expect(fewer.metadata?.annotations).toEqual({});
    const full = changedEndpoints(
      service(),
      [...many(1100, true), ...many(20, false)],
      undefined,
      undefined,
    )!;
    expect(full.subsets).toMatchObject([{ addresses: { length: 1000 } }]);
    expect(full.subsets![0]!.notReadyAddresses).toBeUndefined();
  });

  it('are none of a Service if they elect a leader', () => {
    expect(electsLeader({ annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } })).toBe(true);
    expect(electsLeader({})).toBe(false);
  });
});
