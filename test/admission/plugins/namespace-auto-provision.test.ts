import { describe, expect, it } from 'vitest';
import { namespaceAutoProvision } from '../../../src/admission/plugins/namespace-auto-provision.ts';
import { admissionRequest, admitted } from '../fixtures.ts';

function setUp(...existing: string[]) {
  const created: string[] = [];
  const plugin = namespaceAutoProvision({
    namespace: (name) => (existing.includes(name) ? { metadata: { name } } : undefined),
    createNamespace(name) {
      created.push(name);
      return name === 'n' ? Promise.resolve() : Promise.reject(new Error('Namespace "N" is invalid'));
    },
  });
  const create = (changes = {}) =>
    admitted(plugin, admissionRequest('configmaps', { metadata: { name: 'a' } }, changes));
  return { plugin, created, create };
}

describe('NamespaceAutoProvision', () => {
  it('creates an absent namespace', async () => {
    const { created, create } = setUp();
    await create();
    expect(created).toEqual(['n']);
  });

  it.each([
    ['a namespace that exists', {}, ['n']],
    ['a dry run', { dryRun: true }, []],
    ['an object outside of namespaces', { namespace: '' }, []],
    ['an update', { operation: 'UPDATE' }, []],
  ])('creates nothing for %s', async (_title, changes, existing) => {
    const { created, create } = setUp(...existing);
    await create(changes);
    expect(created).toEqual([]);
  });

  it('reports why the namespace cannot be created', async () => {
    await expect(setUp().create({ namespace: 'N' })).rejects.toThrow(
      'configmaps "a" is forbidden: Namespace "N" is invalid',
    );
  });

  it('ignores namespaces', () => {
    expect(setUp().plugin.handles('CREATE', '', 'namespaces', '')).toBe(false);
  });
});
