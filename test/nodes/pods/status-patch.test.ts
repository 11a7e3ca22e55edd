import { describe, expect, it } from 'vitest';
import { statusPatch } from '../../../src/nodes/pods/status-patch.ts';

const metadata = { uid: 'u' };

describe('the patch of a status', () => {
  it('has what differs', () => {
    const status = { phase: 'Pending', qosClass: 'BestEffort', reason: 'Old', podIP: '1.2.3.4' };
    expect(statusPatch({ metadata, status }, { phase: 'Running', podIP: '1.2.3.4' })).toEqual({
      metadata: { uid: 'u' },
      status: { phase: 'Running', reason: null },
    });
    expect(statusPatch({ metadata, status: { phase: 'Running' } }, { phase: 'Running' })).toBeUndefined();
  });

  it('replaces addresses, which would be merged', () => {
    const podIPs = [{ ip: '10.0.0.1' }];
    expect(statusPatch({ metadata }, { podIPs })?.status).toEqual({ podIPs });
    expect(statusPatch({ metadata, status: { podIPs: [{ ip: '10.0.0.2' }] } }, { podIPs })?.status).toEqual({
      podIPs: [...podIPs, { $patch: 'replace' }],
    });
  });

  it('has the conditions that differ, and removes reasons', () => {
    const status = {
      conditions: [
        { type: 'Ready', status: 'False', reason: 'R', message: 'm' },
        { type: 'Initialized', status: 'True' },
        { type: 'example.com/own', status: 'True' },
      ],
    };
    const wanted = {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Initialized', status: 'True', lastTransitionTime: 'other' },
      ],
    };
    expect(statusPatch({ metadata, status }, wanted)?.status).toEqual({
      conditions: [{ type: 'Ready', status: 'True', reason: null, message: null }],
    });
  });
});
