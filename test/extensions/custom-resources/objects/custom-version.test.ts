import { expect, it } from 'vitest';
import { CustomVersion } from '../../../../src/extensions/custom-resources/objects/custom-version.ts';
import { loopTurns } from '../../../support/loop-turns.ts';

const versionWith = (rule: string) =>
  new CustomVersion(
    {
      name: 'v1',
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule }] } },
    } as never,
    { group: 'example.com', kind: 'Thing', keepsFloats: false },
    () => undefined,
  );

it('the rules of a schema are compiled once, for all requests and versions', async () => {
  const [one, other] = [versionWith('true'), versionWith('true')];
  const pending = one.rules(loopTurns());
  expect(pending).toBeInstanceOf(Promise);
  expect(other.rules(loopTurns())).toBe(pending);
  const tree = await pending;
  expect(tree?.own?.rules).toHaveLength(1);
  expect(one.rules(loopTurns())).toBe(tree);
  expect(await versionWith('false').rules(loopTurns())).not.toBe(tree);
});
