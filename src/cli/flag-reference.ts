import { GATES_READ } from '../model/gates/gates-read.ts';
import { schemeOf } from '../model/scheme.ts';
import { type Flag, flagName } from '../options/flags/flag.ts';
import { SECTIONS } from '../options/flags/table.ts';

/** The reference page of flags and feature gates, in Markdown. */
export function flagReference(): string {
  return `# Flags

<!-- Generated from the flag table by scripts/generate-flag-reference.mjs. -->

## What it does

Binnacle accepts the command line of kube-apiserver 1.32: the same names, forms of values and errors. The column
*Effect* says **none** for flags that are accepted, so that existing command lines start, and change nothing, with the
reason; using one gives a warning. **Refused** flags stop the start.

## How to use it

Values follow \`=\` or are the next word; \`_\` is accepted for \`-\`. Booleans need no value. Lists are separated by
commas, and repeated flags add to them. Durations are written \`1h30m\`, \`10s\`, \`250ms\`.

In the library, each flag is an option of \`createServer\` and \`startCluster\` in camel case: \`--secure-port=6443\` is
\`{ securePort: 6443 }\`. A value is not text there but has the form of the column *Option*; another one is refused with an
error that shows the right form ([errors.md](errors.md)). The values of lists are those that the command line separates
by commas. Options that are undefined have their default.

## What differs

Defaults differ from kube-apiserver's where Binnacle has to start without flags: \`--bind-address\`, \`--cert-dir\`, \`--authorization-mode\`, \`--service-account-*\`,
\`--service-cluster-ip-range\`, \`--etcd-servers\`, \`--storage-backend\`. [differences.md](differences.md) has the rest.

## What bounds it

Values are validated at the start; configuration files have at most 16 MiB.
${Object.entries(SECTIONS)
  .map(([section, flags]) => sectionTable(section, flags))
  .join('')}
## Feature gates

Switched with \`--feature-gates=Name=true,Other=false\`. Gates of features that this server has no part in are accepted and change nothing.
\`AllAlpha\` and \`AllBeta\` switch every gate of the stage that is not named itself.

| Gate | Stage | Default | Effect here |
|---|---|---|---|
${[...schemeOf().gates].map(([gate, { stage, enabled, locked }]) => `| ${gate} | ${stage} | ${enabled ? 'on' : 'off'}${locked ? ', locked' : ''} | ${GATES_READ.has(gate) ? 'read' : gate.startsWith('All') ? 'switches a stage' : ''} |`).join('\n')}
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
    return `| \`--${flagName(option)}\` | ${form} | \`${option}\`: ${flag.form.described} | ${initial === undefined ? '' : `\`${initial}\``} | ${cell(description)} | ${effectOf(flag)} |`;
  });
  return `\n## ${section}\n\n| Flag | Form | Option | Default | Meaning | Effect |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

function effectOf({ effect, because }: Flag<unknown>): string {
  return effect === undefined ? '' : `${effect}: ${because}`;
}

const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/(?<!`)\*(?=[ .])/g, '\\*');
