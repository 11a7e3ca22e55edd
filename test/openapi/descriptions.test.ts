import { describe, expect, it } from 'vitest';
import { resourceSetSource } from '../../src/handlers/endpoints/discovery-source.ts';
import { emulationMembers } from '../../src/handlers/endpoints/version.ts';
import { builtinResourcesOf } from '../../src/kinds/builtin-resources.ts';
import { loadScheme, SERVED_MINORS, type ServedMinor } from '../../src/model/scheme.ts';
import { createDescriptions, TEXTS } from '../../src/openapi/descriptions/index.ts';
import type { Schema } from '../../src/openapi/document.ts';
import { type DescribedGroup, DocumentBuilder } from '../../src/openapi/documents.ts';
import { servedResources } from '../../src/resources/resource-set.ts';
import { BUILTIN_RESOURCES } from '../support/builtin-kinds.ts';
import { findMessageType, kindType } from '../support/types.ts';

const descriptions = createDescriptions();

/** The schemas of all documents of a release with every version and gate, by name. */
async function schemasOf(minor: ServedMinor): Promise<Map<string, Schema>> {
  const scheme = await loadScheme(minor);
  const kinds = builtinResourcesOf(scheme).withGates(() => true);
  const groups = resourceSetSource(
    servedResources(kinds, () => true),
  ).groups() as unknown as DescribedGroup[];
  const builder = new DocumentBuilder({
    release: {
      minor,
      groupVersions: scheme.groupVersions,
      optionalVersionMembers: Object.keys(emulationMembers(scheme)),
    },
    kindType: (group, version, kind) => scheme.types.ofKind(group, version, kind),
    deleteReturnsObject: () => false,
    descriptions,
    cbor: false,
    issuer: true,
  });
  const found = new Map<string, Schema>();
  for (const name of builder.names(groups)) {
    const document = await builder.v3(name, groups, async () => {});
    const { schemas = {} } = document!['components'] as { schemas?: Record<string, Schema> };
    for (const [key, schema] of Object.entries(schemas)) found.set(key, schema);
  }
  return found;
}

/** Properties without a text that `kubectl explain` shows: one of their own or, for bare references, of the type. */
function undescribed(schemas: ReadonlyMap<string, Schema>): string[] {
  return [...schemas].flatMap(([name, schema]) =>
    Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
      .filter(([, { description, $ref }]) => {
        const shown =
          typeof $ref === 'string' ? schemas.get($ref.split('/').at(-1)!)?.['description'] : description;
        return typeof shown !== 'string' || shown === '';
      })
      .map(([property]) => `${name}.${property}`),
  );
}

describe('descriptions', () => {
  it('exist for every kind', () => {
    for (const { group, version, kind, listKind } of BUILTIN_RESOURCES) {
      expect(descriptions.ofType(kindType(group, version, kind)!), kind).toBeDefined();
      const list = kindType(group, version, listKind);
      if (list !== undefined) expect(descriptions.ofType(list), listKind).toBeDefined();
    }
  });

  it.each(SERVED_MINORS)('exist for every property and every type of %s', async (minor) => {
    const schemas = await schemasOf(minor);
    expect(schemas.size).toBeGreaterThan(600);
    expect(undescribed(schemas)).toEqual([]);
    expect([...schemas].filter(([, { description }]) => description === undefined)).toEqual([]);
  });

  it('belong to existing types and fields', async () => {
    const fields = new Map<string, Set<string>>();
    for (const minor of SERVED_MINORS) {
      for (const { name, shortName, byName } of (await loadScheme(minor)).types.all())
        for (const key of [name, shortName])
          fields.set(key, new Set([...(fields.get(key) ?? []), ...byName.keys()]));
    }
    for (const [key, text] of TEXTS.flatMap(Object.entries<string>)) {
      expect(text, key).toMatch(/^\S.*\.$/);
      const [, type, field] = /^((?:[a-z0-9]+_v[a-z0-9]+\.)?[^.]+)(?:\.(.+))?$/.exec(key)!;
      expect(fields.has(type!), type).toBe(true);
      if (field !== undefined) expect(fields.get(type!)!.has(field), key).toBe(true);
    }
  });

  it('are declared once', () => {
    const keys = TEXTS.flatMap(Object.keys);
    expect(keys.filter((key, index) => keys.indexOf(key) < index)).toEqual([]);
  });

  it('cover members with the same meaning in all kinds', () => {
    const lease = findMessageType('coordination_v1.Lease')!;
    expect(descriptions.ofField(lease, lease.byName.get('metadata')!)).toContain('labels');
    const list = findMessageType('coordination_v1.LeaseList')!;
    expect(descriptions.ofField(list, list.byName.get('items')!)).toBe('Objects of the list.');
    const condition = findMessageType('core_v1.PodCondition')!;
    expect(descriptions.ofField(condition, condition.byName.get('status')!)).toContain('Unknown');
  });
});
