import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { instructions, readRecipe } from '../support/container.ts';

const DOCKERFILE = 'examples/container/Dockerfile';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const recipe = readRecipe(DOCKERFILE);
const { options, warnings } = parseCommandLine(recipe.command.slice(1));

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly scheme: string };
}
interface Pod {
  readonly spec: {
    readonly securityContext: {
      readonly runAsNonRoot: boolean;
      readonly runAsUser: number;
      readonly fsGroup: number;
    };
    readonly terminationGracePeriodSeconds: number;
    readonly volumes: readonly object[];
    readonly containers: readonly {
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
      readonly securityContext: object;
      readonly volumeMounts: readonly { readonly mountPath: string }[];
      readonly startupProbe: Probe;
      readonly readinessProbe: Probe;
      readonly livenessProbe: Probe;
    }[];
  };
}
const [pod] = loadAll(readFileSync('examples/container/pod.yaml', 'utf8')) as [Pod];

describe('the container', () => {
  it('has the executable of this version in an image with the C library', () => {
    const values = instructions(DOCKERFILE).map(({ name, value }) => `${name} ${value}`);
    expect(values[0]).toMatch(/^FROM gcr\.io\/distroless\/cc-debian\d+:nonroot$/);
    expect(values).toContain(`ARG EXECUTABLE=binnacle-${version}-linux-x64`);
    expect(values.filter((value) => value.startsWith('RUN'))).toEqual([]);
  });

  it('is not root, ends by SIGTERM, and writes into its volume only', () => {
    expect(recipe.user).toBeGreaterThan(0);
    expect(recipe.stopSignal).toBe('SIGTERM');
    expect(warnings).toEqual([]);
    for (const path of [options.dataDir, options.kubeconfigOut, recipe.environment['XDG_CACHE_HOME']])
      expect(path).toMatch(new RegExp(`^${recipe.volume}/`));
  });

  it('can be reached from outside at the port that it exposes', () => {
    expect(options.bindAddress).toBe('0.0.0.0');
    const exposed = instructions(DOCKERFILE).find(({ name }) => name === 'EXPOSE')!;
    expect(exposed.value).toBe(String(options.securePort));
  });

  it('runs in a Pod with the same user and volume, a root that is read only, and probes', () => {
    const { securityContext, containers, terminationGracePeriodSeconds } = pod.spec;
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: recipe.user,
      fsGroup: recipe.user,
    });
    const [container] = containers;
    expect(container!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container!.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([recipe.volume]);
    expect(container!.ports).toEqual([{ name: 'https', containerPort: options.securePort }]);
    const { startupProbe, readinessProbe, livenessProbe } = container!;
    for (const [probe, path] of [
      [startupProbe, '/livez'],
      [readinessProbe, '/readyz'],
      [livenessProbe, '/livez'],
    ] as const)
      expect(probe.httpGet).toEqual({ path, port: 'https', scheme: 'HTTPS' });
    expect(terminationGracePeriodSeconds).toBeGreaterThan(60);
  });
});
