import { expect, it } from 'vitest';
import { serverIdentity } from '../../src/composition/open-storage.ts';

it('names the identity lease as kube-apiserver does on the same machine', () => {
  const { name, holder, hostname } = serverIdentity('vm');
  expect(name).toBe('apiserver-wlv32tlttr4jl3gtroqexyxapa');
  expect(holder).toMatch(/^apiserver-wlv32tlttr4jl3gtroqexyxapa_[0-9a-f-]{36}$/);
  expect(hostname).toBe('vm');
});

it.each([
  ['a'.repeat(64), 'a'.repeat(63)],
  [`${'a'.repeat(60)}---b`, 'a'.repeat(60)],
  ['my_host.example.com', 'my_host.example.com'],
  ['host.', 'host'],
  ['hôte', ''],
  ['-', ''],
  ['', ''],
])('labels the lease of a host %j with %j, which is a valid value', (host, label) => {
  expect(serverIdentity(host).hostname).toBe(label);
});
