import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBearer } from '../../src/authentication/bearer.ts';
import { CsvError, parseCsv } from '../../src/authentication/csv.ts';
import { decodeToken } from '../../src/authentication/service-account/jwt.ts';
import { clientCertificateAuthenticator } from '../../src/authentication/x509/index.ts';
import { AuthenticationError } from '../../src/request/authenticator.ts';
import { credentials } from './fixtures.ts';
import { NOW, peers, testCertificate } from './x509/fixtures.ts';

describe('arbitrary input', () => {
  it('parses an Authorization header like a split into words', () => {
    const reference = (header: string): string | undefined => {
      const [scheme, token] = header.trim().split(' ');
      return scheme!.toLowerCase() === 'bearer' && token ? token : undefined;
    };
    const word = fc.constantFrom('Bearer', 'bearer', 'BEARER', 'Basic', ' ', '  ', 'abc', 'x.y.z', '');
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 6 }),
        (words) => parseBearer(words.join(' ')) === reference(words.join(' ')),
      ),
    );
  });

  it('reads back well-formed CSV', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'ü') });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (records) => {
        expect(parseCsv(records.map((record) => record.map(quoted).join(',')).join('\n'))).toEqual(records);
      }),
    );
  });

  it('throws only CsvError for other CSV', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r') }), (text) => {
        try {
          for (const record of parseCsv(text)) expect(record.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(CsvError);
        }
      }),
    );
  });

  it('decodes to undefined for text that is not a token', () => {
    const part = fc.oneof(
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        const decoded = decodeToken(parts.join('.'));
        if (decoded !== undefined) expect(typeof decoded.claims).toBe('object');
      }),
    );
  });

  it('throws only AuthenticationError for a corrupt certificate', () => {
    const root = testCertificate({ subject: [['CN', 'root']], isAuthority: true });
    const leaf = testCertificate({ subject: [['CN', 'u']], issuer: root });
    const authenticator = clientCertificateAuthenticator({ authorities: () => [], now: () => NOW });
    fc.assert(
      fc.property(fc.nat(leaf.raw.length - 1), fc.nat(255), (position, byte) => {
        const raw = Buffer.from(leaf.raw);
        raw[position] = byte;
        expect(() => authenticator.authenticate(credentials({}, '/', peers({ ...leaf, raw }, root)))).toThrow(
          AuthenticationError,
        );
      }),
      { numRuns: 300 },
    );
  });
});
