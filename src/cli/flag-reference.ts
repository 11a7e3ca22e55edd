import { FEATURE_GATES } from '../options/feature-gates.ts';
import { type Flag, flagName } from '../options/flags/flag.ts';
import { SECTIONS } from '../options/flags/table.ts';

/** The reference page of flags and feature gates, in Markdown. */
export function flagReference(): string {
  return `# Flags

<!-- Generated from the flag table by scripts/generate-flag-reference.mjs. -->

Binnacle takes the command line of kube-apiserver 1.32: the same names, value forms and errors. Values follow \`=\` or stand as the next word; \`_\` may stand
for \`-\`. Booleans may stand alone. Lists are separated by commas, and further uses of the flag add to them. Durations are written \`1h30m\`, \`10s\`, \`250ms\`.

Where a default differs from kube-apiserver's, it is because Binnacle has to start without any flags: \`--bind-address\`, \`--cert-dir\`, \`--authorization-mode\`,
\`--service-account-*\`, \`--service-cluster-ip-range\`, \`--etcd-servers\`, \`--storage-backend\`.

The column *Effect* says **none** for flags that are accepted so that existing command lines start, and change nothing; using one gives a warning.
**Refused** ones stop the start, because going on without what they ask for would be unsafe.

In the library, each flag is a member of the options of \`createServer\`, in camel case: \`--secure-port\` is \`securePort\`. Durations are milliseconds there.
${Object.entries(SECTIONS)
  .map(([section, flags]) => sectionTable(section, flags))
  .join('')}
## Feature gates

Switched with \`--feature-gates=Name=true,Other=false\`. Gates of features that this server has no part in are accepted and change nothing.
\`AllAlpha\` and \`AllBeta\` switch every gate of the stage that is not named itself.

| Gate | Stage | Default |
|---|---|---|
${[...FEATURE_GATES].map(([gate, { stage, enabled, locked }]) => `| ${gate} | ${stage} | ${enabled ? 'on' : 'off'}${locked ? ', locked' : ''} |`).join('\n')}
`;
}

function sectionTable(section: string, flags: Readonly<Record<string, Flag<unknown>>>): string {
  const rows = Object.entries(flags).map(([option, flag]) => {
    const form = flag.placeholder ?? (flag.form.name || 'bool');
    const initial = flag.form.show(flag.initial);
    const description =
      flag.deprecated === undefined
        ? flag.description
        : `${flag.description} *Deprecated: ${flag.deprecated}*`;
    return `| \`--${flagName(option)}\` | ${form} | ${initial === undefined ? '' : `\`${initial}\``} | ${cell(description)} | ${flag.effect ?? ''} |`;
  });
  return `\n## ${section}\n\n| Flag | Form | Default | Meaning | Effect |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/(?<!`)\*(?=[ .])/g, '\\*');
