import { describe, expect, it } from 'vitest';
import { createAdmissionChain } from '../../src/admission/chain.ts';
import type { AdmissionPlugin } from '../../src/request/admission.ts';
import { admissionRequest, pod } from './fixtures.ts';

describe('createAdmissionChain', () => {
  const trace: string[] = [];
  const plugin = (name: string, more: Partial<AdmissionPlugin> = {}): AdmissionPlugin => ({
    name,
    handles: (_operation, _group, resource) => resource === 'pods',
    admit: () => void trace.push(`${name} admits`),
    validate: () => void trace.push(`${name} validates`),
    ...more,
  });

  it('runs every applicable plugin in order and awaits asynchronous ones', async () => {
    trace.length = 0;
    let requested = 0;
    const chain = createAdmissionChain([
      plugin('a', { admit: async () => void trace.push('a admits') }),
      plugin('b', {
        handles: (_o, _g, resource) => {
          requested += 1;
          return resource === 'pods';
        },
      }),
    ]);
    await chain.admit(admissionRequest('pods', pod()));
    expect(chain.validate(admissionRequest('pods', pod()))).toBeUndefined();
    expect(trace).toEqual(['a admits', 'b admits', 'a validates', 'b validates']);
    expect(requested).toBe(1);
    expect(chain.handles('CREATE', '', 'nodes', '')).toBe(false);
    expect(chain.handles('CREATE', '', 'pods', '')).toBe(true);
  });

  it('counts the plugins that it leaves out, but not those after a rejection', async () => {
    const counted = new Map<string, { count: number }>();
    const counts = () => Object.fromEntries([...counted].map(([key, { count }]) => [key, count]));
    const reject = () => {
      throw new Error('no');
    };
    const chain = createAdmissionChain(
      [
        plugin('a', { handles: () => false }),
        { name: 'b', handles: (_o, _g, resource) => resource === 'pods', admit: reject },
        plugin('c', { handles: () => false }),
      ],
      (operation, phase, plugins) => {
        const counter = { count: 0 };
        if (plugins.length > 0) counted.set(`${operation} ${phase} ${plugins.join()}`, counter);
        return plugins.length > 0 ? counter : undefined;
      },
    );
    expect(() => chain.admit(admissionRequest('pods', pod()))).toThrow('no');
    chain.validate(admissionRequest('pods', pod()));
    expect(counts()).toEqual({ 'CREATE admit a': 1, 'CREATE admit c': 0, 'CREATE validate a,b,c': 1 });
    counted.clear();
    expect(chain.handles('DELETE', '', 'nodes', '')).toBe(false);
    chain.passed?.('DELETE', '', 'nodes', '');
    expect(counts()).toEqual({ 'DELETE admit a,b,c': 1, 'DELETE validate a,b,c': 1 });
  });

  it('rejects a dry run with side effects', () => {
    const chain = createAdmissionChain([plugin('w', { sideEffects: () => 'no dry run here' })]);
    expect(() => chain.admit(admissionRequest('pods', pod(), { dryRun: true }))).toThrow('no dry run here');
    expect(chain.admit(admissionRequest('pods', pod()))).toBeUndefined();
  });

  it('asks a plugin again what it handles when its generation has changed', () => {
    let handled = 'nodes';
    let generation = 1;
    const changing: AdmissionPlugin = {
      name: 'w',
      get generation() {
        return generation;
      },
      handles: (_operation, _group, resource) => resource === handled,
      leavesProcess: () => true,
      validate: () => undefined,
    };
    const chain = createAdmissionChain([plugin('a'), changing]);
    expect(chain.leavesProcess?.('CREATE', '', 'pods', '')).toBe(false);
    expect(chain.handles('CREATE', '', 'secrets', '')).toBe(false);
    handled = 'secrets';
    expect(chain.handles('CREATE', '', 'secrets', '')).toBe(false);
    generation = 2;
    expect(chain.handles('CREATE', '', 'secrets', '')).toBe(true);
    expect(chain.leavesProcess?.('CREATE', '', 'secrets', '')).toBe(true);
  });

  it('runs plugins that objects configure, except for writes of the server itself', () => {
    trace.length = 0;
    const chain = createAdmissionChain([plugin('a'), plugin('w', { isConfiguredByObjects: true })]);
    chain.admit(admissionRequest('pods', pod(), { isOwnWrite: true }));
    chain.validate(admissionRequest('pods', pod(), { isOwnWrite: true }));
    expect(trace).toEqual(['a admits', 'a validates']);
    trace.length = 0;
    chain.admit(admissionRequest('pods', pod()));
    expect(trace).toEqual(['a admits', 'w admits']);
  });

  it('repeats the mutating phase once if a plugin asks for it', async () => {
    trace.length = 0;
    const asking = plugin('w', {
      admit: async ({ rounds }) => {
        trace.push(`w admits in round ${rounds.round}`);
        rounds.needsSecond = true;
      },
    });
    await createAdmissionChain([plugin('a'), asking]).admit(admissionRequest('pods', pod()));
    expect(trace).toEqual(['a admits', 'w admits in round 0', 'a admits', 'w admits in round 1']);
  });
});
