import { expect, it } from 'vitest';
import { FormerResources } from '../../src/resources/former-resources.ts';
import type { ResourceDefinition } from '../../src/resources/resource-definition.ts';

const of = (...versions: string[]) => versions.map((version) => ({ row: { version } }) as ResourceDefinition);

it('keeps the latest versions that are not served any more', () => {
  const former = new FormerResources();
  const kept = () => former.of('d').map(({ row }) => row.version);
  former.keep('d', of('v1', 'v2'), of('v2', 'v1'));
  expect([kept(), former.generation]).toEqual([[], 0]);
  former.keep('d', of('v1', 'v2'), of('v2', 'v3'));
  former.keep('d', of('v2', 'v3'), of('v3'));
  expect(kept()).toEqual(['v1', 'v2']);
  former.keep('d', of('v3'), of('v1'));
  expect(kept()).toEqual(['v2', 'v3']);
  const many = Array.from({ length: 40 }, (_, index) => `v${index + 10}`);
  former.keep('d', of(...many), of('v1'));
  expect(kept()).toEqual(many.slice(-16));
});
