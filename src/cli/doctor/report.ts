import type { Finding } from './finding.ts';

/** The findings as text: a line each, and one below it with what to do. */
export function reportText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, severity, found, advice }) => [
    `${severity.padEnd(8)} ${check.padEnd(13)} ${found}`,
    ...(advice === undefined ? [] : [`${' '.repeat(22)} → ${advice}`]),
  ]);
  return `${lines.join('\n')}\n\n${summary(findings)}\n`;
}

function summary(findings: readonly Finding[]): string {
  const count = (wanted: Finding['severity']): number =>
    findings.filter(({ severity }) => severity === wanted).length;
  const parts = (['problem', 'warning'] as const)
    .map((severity) => [count(severity), severity] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}${number === 1 ? '' : 's'}`);
  return parts.length === 0 ? 'Nothing is wrong.' : `${parts.join(', ')}.`;
}
