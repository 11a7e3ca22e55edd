import { describe, expect, it } from 'vitest';
import { nodeAddress, nodeOfAddress, PodAddresses } from '../../src/nodes/addresses.ts';

describe('addresses of nodes', () => {
  it('tell the number of the node', () => {
    for (const index of [0, 249, 250, 5000, 63_749]) expect(nodeOfAddress(nodeAddress(index))).toBe(index);
    expect([nodeAddress(0), nodeAddress(250)]).toEqual(['10.0.1.1', '10.0.2.1']);
  });

  it('are shared beyond 63,750 nodes', () => {
    expect(nodeAddress(63_750)).toBe(nodeAddress(0));
  });

  it.each(['', '10.0.0.1', '10.1.1.1', '192.168.0.1', '10.0.1.251', '10.0.1.0', '10.0.1', 'fd00::1'])(
    'do not include %j',
    (address) => {
      expect(nodeOfAddress(address)).toBeUndefined();
    },
  );
});

describe('addresses of Pods', () => {
  it('are of their node, in all families, and never twice', () => {
    const addresses = new PodAddresses([4, 6]);
    expect(addresses.take(3)).toEqual(['10.244.3.1', 'fd00:10:244:3::1']);
    addresses.release('10.244.3.1');
    expect(addresses.take(3)).toEqual(['10.244.3.2', 'fd00:10:244:3::2']);
    expect(new PodAddresses([6, 4]).take(0)[0]).toBe('fd00:10:244:0::1');
  });

  it('come from common ranges beyond 254 Pods or 256 nodes', () => {
    const addresses = new PodAddresses([4]);
    expect(addresses.take(256)).toEqual(['10.245.0.1']);
    const all = new Set(Array.from({ length: 1000 }, () => addresses.take(0)[0]));
    expect(all.size).toBe(1000);
    expect(all).toContain('10.244.0.254');
    expect(all).toContain('10.245.2.1');
  });

  it('are given again when they are free and all were given', () => {
    const addresses = new PodAddresses([4]);
    for (const address of ['10.254.255.254', '10.245.0.1', '10.245.0.2']) addresses.observe(address);
    addresses.release('10.245.0.2');
    expect(addresses.take(300)).toEqual(['10.245.0.2']);
  });

  it('of an earlier run are not given again', () => {
    const addresses = new PodAddresses([4, 6]);
    for (const address of ['10.244.1.7', 'fd00:10:244:2::1:2', '10.245.0.4', '10.0.1.1', 'nonsense'])
      addresses.observe(address);
    expect(addresses.take(1)[0]).toBe('10.244.1.8');
    expect(addresses.take(2)[1]).toBe('fd00:10:244:2::1:3');
    // The Pod before had no number of a range of its own any more.
    expect(addresses.take(300)[0]).toBe('10.245.0.6');
  });
});
