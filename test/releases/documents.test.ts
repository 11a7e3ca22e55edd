import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemeOf } from '../../src/model/scheme.ts';
import { fixtureHashes, hashesText, schemeHashes, servedHashes } from './release-documents.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const file = (name: string) => join(FIXTURES, 'releases/1.32', name);

/**
 * What release 1.32 shows, byte for byte. A change of another release changes none of these files; a change of our
 * own texts changes lines of documents with descriptions only.
 */
describe('release 1.32', () => {
  it('has the same types and gates', () =>
    expect(hashesText(schemeHashes(schemeOf('1.32')))).toMatchFileSnapshot(file('scheme.txt')));

  it.each([
    ['default', {}],
    ['every-kind', { runtimeConfig: ['api/all=true'] }],
    ['every-gate', { runtimeConfig: ['api/all=true'], featureGates: ['AllAlpha=true', 'AllBeta=true'] }],
  ])('serves the same documents: %s', async (name, options) => {
    await expect(hashesText(await servedHashes(options))).toMatchFileSnapshot(file(`${name}.txt`));
  });

  it('is compared with the same recordings', () =>
    expect(hashesText(fixtureHashes(join(FIXTURES, 'recorded')))).toMatchFileSnapshot(file('recorded.txt')));
});
