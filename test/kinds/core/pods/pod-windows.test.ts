import { describe, expect, it } from 'vitest';
import { podStrategy } from '../../../support/builtin-resources.ts';
import { contextOf, errorsOf } from '../../run-strategy.ts';

const pod = (spec: object): object => ({
  metadata: { name: 'p', namespace: 'n' },
  spec: { serviceAccountName: 'a', ...spec },
});
const container = { name: 'c', image: 'i' };
const asUser = (runAsUserName: string): string[] =>
  errorsOf(
    podStrategy,
    pod({ containers: [container], securityContext: { windowsOptions: { runAsUserName } } }),
  ).map((text) =>
    text.replace(/^spec\.securityContext\.windowsOptions\.runAsUserName: Invalid value: "[^:]*": /, ''),
  );

describe('Windows pods', () => {
  it.each<[string, string, string[]]>([
    ['an empty name', '', ['runAsUserName cannot be an empty string']],
    ['control characters', 'a\tb', ['runAsUserName cannot contain control characters']],
    ['two backslashes', 'a\\b\\c', ['runAsUserName cannot contain more than one backslash']],
    ['a domain alone', 'a\\', ["runAsUserName's User cannot be empty"]],
    [
      'an unknown form of domain',
      'a..b.c-long-domain\\u',
      ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"],
    ],
    ['a long name', 'u'.repeat(105), ["runAsUserName's User length must not be longer than 104 characters"]],
    ['dots', '. .', ["runAsUserName's User cannot contain only periods or spaces"]],
    ['a slash', 'a/b', ['runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']],
    ['a user of a NetBIOS domain', 'my domain\\u', []],
    ['a user of a DNS domain', 'a.long.domain.example.com\\u', []],
  ])('validates runAsUserName: %s', (_case, user, expected) => {
    expect(asUser(user)).toEqual(expected);
  });

  it('requires hostProcess of all containers or none', () => {
    const withHostProcess = (hostProcess: boolean): object => ({
      securityContext: { windowsOptions: { hostProcess } },
    });
    const errors = (spec: object, allowPrivileged = true): string[] =>
      errorsOf(podStrategy, pod(spec), contextOf({ allowPrivileged }));
    expect(errors({ hostNetwork: true, containers: [container], ...withHostProcess(true) })).toEqual([]);
    expect(
      errors(
        {
          containers: [
            { ...container, ...withHostProcess(true) },
            { ...container, name: 'd' },
          ],
          ...withHostProcess(false),
        },
        false,
      ),
    ).toEqual([
      'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: true: pod hostProcess value must be identical if both are specified, was false',
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      'spec: Forbidden: hostProcess containers are disallowed by cluster policy',
    ]);
  });
});
