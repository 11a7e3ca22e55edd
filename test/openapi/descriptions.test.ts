import { describe, expect, it } from 'vitest';
import { allMessageTypes, findMessageType, kindType } from '../../src/model/scheme.ts';
import core from '../../src/openapi/descriptions/core.ts';
import groups from '../../src/openapi/descriptions/groups.ts';
import { descriptions } from '../../src/openapi/descriptions/index.ts';
import meta from '../../src/openapi/descriptions/meta.ts';
import pods from '../../src/openapi/descriptions/pods.ts';
import workloads from '../../src/openapi/descriptions/workloads.ts';
import { BUILTIN_RESOURCES } from '../../src/registry/builtin-resources.ts';

describe('descriptions', () => {
  it('exist for every kind', () => {
    for (const { group, version, kind, listKind } of BUILTIN_RESOURCES) {
      expect(descriptions.ofType(kindType(group, version, kind)!), kind).toBeDefined();
      const list = kindType(group, version, listKind);
      if (list !== undefined) expect(descriptions.ofType(list), listKind).toBeDefined();
    }
  });

  it('belong to existing types and fields', () => {
    const fields = new Map<string, Set<string>>();
    for (const { shortName, byName } of allMessageTypes())
      fields.set(shortName, new Set([...(fields.get(shortName) ?? []), ...byName.keys()]));
    let type = '';
    for (const line of [meta, core, pods, workloads, groups].flatMap((text) => text.trim().split('\n'))) {
      const [, indent, name, text] = /^( {2})?(\S+): (\S.*\.)$/.exec(line) ?? [];
      expect(text, line).toBeDefined();
      if (indent === undefined) type = name!;
      else expect(fields.get(type)?.has(name!), `${type}.${name}`).toBe(true);
      expect(fields.has(type), type).toBe(true);
    }
  });

  it('cover members with the same meaning in all kinds', () => {
    const lease = findMessageType('coordination_v1.Lease')!;
    expect(descriptions.ofField(lease, lease.byName.get('metadata')!)).toContain('labels');
    const list = findMessageType('coordination_v1.LeaseList')!;
    expect(descriptions.ofField(list, list.byName.get('items')!)).toBe('Objects of the list.');
  });
});
