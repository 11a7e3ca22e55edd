import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../src/options/options.ts';
import { recorded } from '../support/recorded.ts';
import { normalBootstrap, normalOpenapi, RecordedServer, type Recording } from './recorded-server.ts';

const EVERY_GATE: ServerOptions = {
  runtimeConfig: ['api/all=true'],
  featureGates: ['AllAlpha=true', 'AllBeta=true'],
};

/** Startup hooks of features that this server does not have (docs/differences.md). */
const ABSENT = [
  'start-kube-apiserver-coordinated-leader-election-controller',
  'built-in-resources-storage-version-updater',
].map((name) => `poststarthook/${name}`);
const isAbsent = (text: string): boolean => ABSENT.some((name) => text.endsWith(name));

describe.each([
  ['1.32', 'every-gate', EVERY_GATE],
  ['1.33', 'default', {}],
  ['1.34', 'default', {}],
  ['1.37', 'default', {}],
] as const)('release %s, %s', (minor, profile, options) => {
  const recording = recorded<Recording>(`${minor}/${profile}`);
  let server: RecordedServer;
  beforeAll(async () => {
    server = await RecordedServer.start({ kubernetesVersion: minor, ...options });
  });
  afterAll(() => server.stop());

  it.each(Object.keys(recording.discovery))('serves the document %s', async (name) => {
    const wanted = recording.discovery[name];
    const document =
      name === '/' ? { paths: wanted.paths.filter((path: string) => !isAbsent(path)) } : wanted;
    expect(await server.discovery(name, wanted)).toEqual(document);
  });

  it.each(Object.keys(recording.openapi))('describes %s', async (path) =>
    expect(await server.openapi(path)).toEqual(normalOpenapi(path, recording.openapi[path])),
  );

  // Of 1.37 the OpenAPI documents are not compared yet (docs/differences.md).
  if (Object.keys(recording.openapi).length > 0)
    it('describes nothing else', async () =>
      expect(['/openapi/v2', ...(await server.openapiNames())].sort()).toEqual(
        Object.keys(recording.openapi).sort(),
      ));

  it.each(Object.keys(recording.columns))('has the columns of %s', async (path) =>
    expect(await server.columns(path)).toEqual(recording.columns[path]),
  );

  it.each(Object.keys(recording.bootstrap))('begins with the objects of %s', async (path) =>
    expect(await server.bootstrap(path)).toEqual(normalBootstrap(recording.bootstrap[path])),
  );

  it('has the feature gates', async () => expect(await server.gates()).toEqual(recording.gates));

  it.each(['/livez', '/readyz'])('has the checks of %s', async (path) =>
    expect(await server.checks(path)).toEqual(recording.checks[path]!.filter((name) => !isAbsent(name))),
  );
});
