import { expect, it } from 'vitest';
import { caBundleError } from '../../../src/kinds/validation/ca-bundle.ts';
import { urlError } from '../../../src/kinds/validation/url-error.ts';
import { validateWebhookClient } from '../../../src/kinds/validation/webhook-client.ts';
import { formatFieldError } from '../../../src/status/field-error.ts';

it.each([
  ['https://x.test:443/path?a=b#f', undefined],
  ['x.test', undefined],
  ['', undefined],
  ['https://[::1]:8443/', undefined],
  ['mailto:a:b', undefined],
  ['::', 'parse "::": missing protocol scheme'],
  ['1a:b', 'parse "1a:b": first path segment in URL cannot contain colon'],
  ['https://h:port/', 'parse "https://h:port/": invalid port ":port" after host'],
  ['https://[::1', `parse "https://[::1": missing ']' in host`],
  ['https://a b/', 'parse "https://a b/": invalid character " " in host name'],
  ['https://h/%zz', 'parse "https://h/%zz": invalid URL escape "%zz"'],
  ['https://h%41/', 'parse "https://h%41/": invalid URL escape "%41"'],
  ['https://u<@h/', 'parse "https://u<@h/": net/url: invalid userinfo'],
  ['https://h/\n', 'parse "https://h/\\n": net/url: invalid control character in URL'],
])('reads the URL %j', (url, expected) => expect(urlError(url)).toBe(expected));

it('reports only that a URL cannot be read', () =>
  expect(validateWebhookClient({ url: '::' }, 'c').map(formatFieldError)).toEqual([
    'c.url: Required value: url must be a valid URL: parse "::": missing protocol scheme; desired format: https://host[/path]',
  ]));

it('finds a certificate in a bundle', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const block = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
  expect(caBundleError('')).toBeUndefined();
  expect(caBundleError(base64('nope'))).toBe('unable to parse bytes as PEM block');
  expect(caBundleError(base64(block('PUBLIC KEY')))).toBe('no valid certificate authority data seen');
  expect(caBundleError(base64(block('CERTIFICATE')))).toMatch(/^failed to parse certificate: /);
});
