import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BinnacleError } from '../../src/errors/binnacle-error.ts';
import { ConfigurationError } from '../../src/errors/configuration-error.ts';
import { createServer } from '../../src/index.ts';
import { FLAGS, flagOf, type OptionName } from '../../src/options/flags/table.ts';
import type { ServerOptions } from '../../src/options/options.ts';
import { startCluster } from '../../src/testing/index.ts';
import { configuration } from './fixtures.ts';

const OPTIONS = Object.keys(FLAGS) as OptionName[];

/** What `configure` throws for options of any shape; undefined if it accepts them. */
function errorFor(options: object): unknown {
  try {
    configuration(options as ServerOptions);
    return undefined;
  } catch (error) {
    return error;
  }
}

const messageFor = (options: object) => (errorFor(options) as Error | undefined)?.message;

/** Values of every form, and of none. */
const VALUES: readonly unknown[] = [
  'text',
  '192.0.2.1',
  '10s',
  true,
  0,
  2,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2n,
  null,
  ['a'],
  ['a=true'],
  ['a=2'],
  [5],
  new Array(1),
  { first: 1, last: 2 },
  { first: 2, last: 1 },
  { a: true },
  { toString: null },
  new Map(),
  Object.create(null),
  Symbol('a'),
  () => 'a',
  'a\0b',
];

describe.each(OPTIONS)('option %s', (option) => {
  const { form, initial } = flagOf(option);

  it('accepts its default', () => {
    expect(form.accepts(initial) || initial === '').toBe(true);
  });

  it('refuses a value of another form in one line that names it', () => {
    for (const value of VALUES.filter((item) => !form.accepts(item))) {
      const error = errorFor({ [option]: value }) as Error;
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toMatch(new RegExp(`^${option} must be [^\\n]{1,400}$`));
      expect(error.message).toContain(form.described);
    }
  });

  it('never ends in an error that is not of this program', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(fc.string()), fc.constantFrom(...VALUES)), (value) => {
        const error = errorFor({ [option]: value });
        if (error !== undefined) expect(error).toBeInstanceOf(BinnacleError);
      }),
      { numRuns: 30 },
    );
  });

  it('accepts what the command line makes of a text', () => {
    const texts = fc.constantFrom(
      '',
      'a',
      'a,b',
      '1',
      '-1',
      '2.5',
      'true',
      '10s',
      'a=true',
      'a=2',
      '::1',
      '1Ki',
      '1e999',
      '30-40',
    );
    fc.assert(
      fc.property(texts, (text) => {
        let value: unknown;
        try {
          value = form.parse(text, undefined);
        } catch {
          return;
        }
        expect(form.accepts(value)).toBe(true);
      }),
    );
  });
});

describe('options of the library', () => {
  it.each([
    [
      { runtimeConfig: { 'api/all': true } },
      `runtimeConfig must be a list of strings such as ['name=true'], not an object: write ["api/all=true"]`,
    ],
    [
      { enableAdmissionPlugins: 'AlwaysPullImages' },
      `enableAdmissionPlugins must be a list of strings such as ['a', 'b'], not "AlwaysPullImages": write ["AlwaysPullImages"]`,
    ],
    [
      { featureGates: { WatchList: false } },
      `featureGates must be a list of strings such as ['name=true'], not an object: write ["WatchList=false"]`,
    ],
    [
      { authorizationMode: 'Node,RBAC' },
      `authorizationMode must be a list of strings such as ['a', 'b'], not "Node,RBAC": write ["Node","RBAC"]`,
    ],
    [{ dataDir: 5 }, 'dataDir must be a string, not 5'],
    [{ dataDir: null }, 'dataDir must be a string, not null'],
    [{ securePort: '6443' }, 'securePort must be an integer, not "6443": write 6443'],
    [{ requestTimeout: '10s' }, 'requestTimeout must be milliseconds as a number, not "10s": write 10000'],
    [{ requestTimeout: Number.NaN }, 'requestTimeout must be milliseconds as a number, not NaN'],
    [{ watchCache: 'yes' }, 'watchCache must be true or false, not "yes"'],
    [{ bindAddress: 'localhost' }, 'bindAddress must be an IP address as a string, not "localhost"'],
    [
      { serviceNodePortRange: '30000-30100' },
      'serviceNodePortRange must be an object such as { first: 30000, last: 32767 }, not "30000-30100": write {"first":30000,"last":30100}',
    ],
    [
      { apiAudiences: ['a', undefined] },
      "apiAudiences must be a list of strings such as ['a', 'b'], not a list with undefined at index 1",
    ],
    [
      { oidcRequiredClaim: ['a=b', 'c'] },
      `oidcRequiredClaim must be a list of strings such as ['key=value'], not a list with "c" at index 1`,
    ],
    [{ v: -1 }, 'v must be an integer from 0 to 2147483647, not -1'],
  ])('%j: %s', (options, message) => {
    expect(messageFor(options)).toBe(message);
  });

  it('are all checked', () => {
    expect(messageFor({ dataDir: 5, v: 'x', nonsense: 1 })).toBe(
      '[unknown option: nonsense, dataDir must be a string, not 5, v must be an integer from 0 to 2147483647, not "x"]',
    );
  });

  it('have names that are known', () => {
    expect(messageFor({ 'secure-port': 1, securePROT: 1 })).toBe(
      'unknown option: secure-port (did you mean securePort?), securePROT',
    );
    expect(messageFor({ 'a\nb': 1, ['x'.repeat(1000)]: 1 })).toMatch(/^unknown option: "a\\nb", "x{80}…"$/);
    expect(messageFor(Object.fromEntries(Array.from('abcdefg', (name) => [name, 1])))).toBe(
      'unknown option: a, b, c, d, e and 2 more',
    );
    expect(messageFor(JSON.parse('{"__proto__": 1}'))).toBe('unknown option: __proto__');
  });

  it('are shown within bounds', () => {
    expect(messageFor({ securePort: 'x\n'.repeat(10_000) })!.length).toBeLessThan(300);
    expect(
      messageFor({ runtimeConfig: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, 1])) }),
    ).toBe("runtimeConfig must be a list of strings such as ['name=true'], not an object");
  });
});

describe.each([
  ['createServer', createServer as (...given: unknown[]) => Promise<unknown>, 'server'],
  ['startCluster', startCluster as (...given: unknown[]) => Promise<unknown>, 'cluster'],
])('%s', (_, start, what) => {
  it.each([
    [null, 'null'],
    ['memory', '"memory"'],
    [[], 'a list'],
    [5, '5'],
  ])('refuses %j for its options', async (options, shown) => {
    await expect(start(options)).rejects.toThrow(
      new ConfigurationError(`the options of a ${what} must be an object, not ${shown}`),
    );
  });

  it('refuses options of a wrong form', async () => {
    await expect(start({ storageBackend: 'memory', dataDir: 5 })).rejects.toThrow(
      new ConfigurationError('dataDir must be a string, not 5'),
    );
  });
});

describe('the log', () => {
  it('is a function', async () => {
    const refusal = new ConfigurationError('log must be a function, not "a.log"');
    await expect(createServer({}, { log: 'a.log' } as never)).rejects.toThrow(refusal);
    await expect(startCluster({ log: 'a.log' } as never)).rejects.toThrow(refusal);
    await expect(createServer({}, null as never)).rejects.toThrow(
      'the environment of a server must be an object',
    );
  });
});

describe('the types of options', () => {
  it('are those that the server accepts', () => {
    const typed: ServerOptions[] = [
      // @ts-expect-error a list
      { runtimeConfig: { 'api/all': true } },
      // @ts-expect-error a list
      { enableAdmissionPlugins: 'AlwaysPullImages' },
      // @ts-expect-error a string
      { dataDir: 5 },
      // @ts-expect-error a number
      { requestTimeout: '10s' },
      // @ts-expect-error a boolean
      { watchCache: 'true' },
      // @ts-expect-error an object
      { serviceNodePortRange: '1-2' },
      // @ts-expect-error unknown
      { nonsense: 1 },
    ];
    for (const options of typed) expect(errorFor(options)).toBeInstanceOf(ConfigurationError);
    expect(
      errorFor({ runtimeConfig: ['api/all=true'], requestTimeout: 10_000 } satisfies ServerOptions),
    ).toBe(undefined);
  });
});
