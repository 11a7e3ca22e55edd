import { describe, expect, it } from 'vitest';
import { createDescriptions } from '../../src/openapi/descriptions/index.ts';
import { META } from '../../src/openapi/descriptions/meta.ts';
import { POD_TEMPLATES } from '../../src/openapi/descriptions/pods.ts';
import { BUILTIN_RESOURCES, builtinDescriptions } from '../support/builtin-kinds.ts';
import { allMessageTypes, findMessageType, kindType } from '../support/types.ts';

const descriptions = createDescriptions(builtinDescriptions());

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
    for (const [key, text] of [META, POD_TEMPLATES, ...builtinDescriptions()].flatMap(
      Object.entries<string>,
    )) {
      expect(text, key).toMatch(/^\S.*\.$/);
      const [type, field] = key.split('.') as [string, string | undefined];
      expect(fields.has(type), type).toBe(true);
      if (field !== undefined) expect(fields.get(type)!.has(field), key).toBe(true);
    }
  });

  it('are declared once', () => {
    const keys = [META, POD_TEMPLATES, ...builtinDescriptions()].flatMap(Object.keys);
    expect(keys.filter((key, index) => keys.indexOf(key) < index)).toEqual([]);
  });

  it('cover members with the same meaning in all kinds', () => {
    const lease = findMessageType('coordination_v1.Lease')!;
    expect(descriptions.ofField(lease, lease.byName.get('metadata')!)).toContain('labels');
    const list = findMessageType('coordination_v1.LeaseList')!;
    expect(descriptions.ofField(list, list.byName.get('items')!)).toBe('Objects of the list.');
  });
});
