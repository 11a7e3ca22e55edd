import { describe, expect, it } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { flagName, optionName } from '../../src/options/flags/flag.ts';
import { FLAGS, OPTION_BY_FLAG, SECTIONS } from '../../src/options/flags/table.ts';

const options = (...words: string[]) => parseCommandLine(words).options;

describe('command line', () => {
  it('parses values after = and as the next argument, and _ as -', () => {
    expect(options('--secure-port=0', '--bind_address', '::1', '--goaway-chance', '.01')).toEqual({
      securePort: 0,
      bindAddress: '::1',
      goawayChance: 0.01,
    });
  });

  it('parses booleans without a value, and never uses the next argument as one', () => {
    expect(parseCommandLine(['--allow-privileged', 'backup', '--anonymous-auth=F'])).toMatchObject({
      options: { allowPrivileged: true, anonymousAuth: false },
      words: ['backup'],
    });
  });

  it('parses all forms of the verbosity shorthand', () => {
    for (const words of [['-v4'], ['-v=4'], ['-v', '4'], ['--v=4']])
      expect(options(...words)).toEqual({ v: 4 });
  });

  it('appends to lists, replaces their default, and keeps quoted commas', () => {
    expect(options('--controllers=-*', '--controllers=a,"b,c"')).toEqual({ controllers: ['-*', 'a', 'b,c'] });
    expect(options('--oidc-signing-algs=ES256')).toEqual({ oidcSigningAlgs: ['ES256'] });
    expect(options('--service-account-issuer=a,b', '--service-account-issuer=c')).toEqual({
      serviceAccountIssuer: ['a,b', 'c'],
    });
    expect(options('--oidc-required-claim=a=b,c')).toEqual({ oidcRequiredClaim: ['a=b,c'] });
    expect(options('--runtime-config=a/v1, b/v1=false', '--runtime-config=c/v1')).toEqual({
      runtimeConfig: ['a/v1', 'b/v1=false', 'c/v1'],
    });
  });

  it('parses durations, sizes and port ranges', () => {
    expect(
      options(
        '--request-timeout=1m30.5s',
        '--log-json-info-buffer-size=2Ki',
        '--service-node-port-range=30000+10',
      ),
    ).toEqual({
      requestTimeout: 90_500,
      logJsonInfoBufferSize: 2048,
      serviceNodePortRange: { first: 30_000, last: 30_010 },
    });
  });

  it('ends the flags at --', () => {
    expect(parseCommandLine(['a', '--', '--secure-port=1'])).toMatchObject({
      options: {},
      words: ['a', '--secure-port=1'],
    });
  });

  it.each([
    [['--no-such-flag'], 'unknown flag: --no-such-flag'],
    [['--no-such-flag=3'], 'unknown flag: --no-such-flag'],
    [['--secure-port'], 'flag needs an argument: --secure-port'],
    [['-v'], "flag needs an argument: 'v' in -v"],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['--=3'], 'bad flag syntax: --=3'],
    [
      ['--secure-port=abc'],
      'invalid argument "abc" for "--secure-port" flag: strconv.ParseInt: parsing "abc": invalid syntax',
    ],
    [['-vx'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax'],
    [
      ['--allow-privileged=maybe'],
      'invalid argument "maybe" for "--allow-privileged" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      ['--bind-address=localhost'],
      'invalid argument "localhost" for "--bind-address" flag: failed to parse IP: "localhost"',
    ],
    [
      ['--request-timeout=5'],
      'invalid argument "5" for "--request-timeout" flag: time: missing unit in duration "5"',
    ],
    [
      ['--request-timeout=soon'],
      'invalid argument "soon" for "--request-timeout" flag: time: invalid duration "soon"',
    ],
    [['--v=-1'], 'invalid argument "-1" for "-v, --v" flag: strconv.ParseUint: parsing "-1": invalid syntax'],
    [['--vmodule=x'], 'invalid argument "x" for "--vmodule" flag: "x" does not have the pattern=N format'],
    [['--__proto__=1'], 'unknown flag: --__proto__'],
    [['--constructor'], 'unknown flag: --constructor'],
  ])('refuses %j', (words, message) => {
    expect(() => parseCommandLine(words)).toThrow(expect.objectContaining({ message }));
  });

  it('warns about deprecated flags', () => {
    expect(parseCommandLine(['--cloud-provider=external', '--secure-port=1']).warnings).toEqual([
      'Flag --cloud-provider has been deprecated, will be removed in a future version',
    ]);
  });

  it('accepts --help and --version at any position', () => {
    expect(parseCommandLine(['--secure-port=1', '-h'])).toMatchObject({ help: true });
    expect(parseCommandLine(['--version'])).toMatchObject({ version: 'text' });
    expect(parseCommandLine(['--version=raw'])).toMatchObject({ version: 'raw' });
  });
});

describe('flag table', () => {
  it('maps flag names to their options and back', () => {
    for (const option of Object.keys(FLAGS)) expect(optionName(flagName(option))).toBe(option);
    expect(OPTION_BY_FLAG.size).toBe(
      Object.values(SECTIONS).reduce((sum, section) => sum + Object.keys(section).length, 0),
    );
  });

  it('parses the formatted default of every flag', () => {
    for (const flag of Object.values(FLAGS)) {
      const shown = flag.form.show(flag.initial as never);
      if (shown !== undefined)
        expect(flag.form.parse(shown.replace(/^["[]|["\]]$/g, ''), undefined)).toEqual(flag.initial);
    }
  });

  it('has every flag that test harnesses pass to kube-apiserver', () => {
    const flags = [
      'allow-privileged',
      'authorization-mode',
      'bind-address',
      'cert-dir',
      'client-ca-file',
      'disable-admission-plugins',
      'etcd-servers',
      'secure-port',
      'service-account-issuer',
      'service-account-key-file',
      'service-account-signing-key-file',
      'service-cluster-ip-range',
      'advertise-address',
      'runtime-config',
      'feature-gates',
      'max-requests-inflight',
    ];
    expect(flags.filter((flag) => !OPTION_BY_FLAG.has(flag))).toEqual([]);
  });

  it('lists every flag in the help at the start of a line, and no insecure port', () => {
    const help = helpText();
    for (const flag of OPTION_BY_FLAG.keys()) expect(help).toMatch(new RegExp(`^\\s*--${flag}\\b`, 'm'));
    expect(help).not.toContain('insecure-port');
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(160);
  });
});
