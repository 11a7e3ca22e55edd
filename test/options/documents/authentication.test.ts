import { expect, it } from 'vitest';
import { loadScheme, schemeOf } from '../../../src/model/scheme.ts';
import { readAuthenticationDocument } from '../../../src/options/documents/authentication.ts';

const V1 =
  'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\nanonymous: {enabled: true}\n';

it('reads version v1 of an AuthenticationConfiguration since 1.34', async () => {
  const anonymous = { anonymous: { enabled: true } };
  expect(readAuthenticationDocument(V1, await loadScheme('1.34'))).toMatchObject(anonymous);
  for (const scheme of [schemeOf(), await loadScheme('1.33')]) {
    expect(() => readAuthenticationDocument(V1, scheme)).toThrow(
      'no kind "AuthenticationConfiguration" is registered for version "apiserver.config.k8s.io/v1"',
    );
    expect(readAuthenticationDocument(V1.replace('/v1', '/v1beta1'), scheme)).toMatchObject(anonymous);
  }
});
