import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '../../files/data-directory.ts';
import { keepsData } from './disk.ts';
import { type Check, type Finding, finding } from './finding.ts';

const REMOVE = 'remove the file and start again: the server makes another one';

/** Whether the certificates of the data directory are valid at the present time. */
export const checkCertificates: Check = ({ dataDirectory, options, clock }): Finding[] => {
  const folder = options.certDir || dataPaths(dataDirectory).certificates;
  if ((!keepsData(options) && !options.certDir) || !existsSync(folder)) return [];
  const findings: Finding[] = [];
  let valid = 0;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.crt'))) {
    const file = join(folder, name);
    try {
      const certificate = new X509Certificate(readFileSync(file));
      const now = clock.now();
      if (Date.parse(certificate.validFrom) > now)
        findings.push(
          finding(
            'certificates',
            'problem',
            `${file} is valid from ${certificate.validFrom} only`,
            'correct the clock',
          ),
        );
      else if (Date.parse(certificate.validTo) < now)
        findings.push(
          finding(
            'certificates',
            'note',
            `${file} expired on ${certificate.validTo}`,
            'the next start makes another one',
          ),
        );
      else valid += 1;
    } catch {
      findings.push(finding('certificates', 'warning', `${file} is not a certificate`, REMOVE));
    }
    if (!existsSync(file.replace(/\.crt$/, '.key')))
      findings.push(finding('certificates', 'warning', `${file} has no key beside it`, REMOVE));
  }
  return findings.length > 0 ? findings : [finding('certificates', 'ok', `${valid} in ${folder} are valid`)];
};
