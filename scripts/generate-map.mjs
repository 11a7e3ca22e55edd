// Writes docs/map.md from the import rules. With --check, fails if the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { DESCRIPTIONS, LEAVES } from './import-rules.mjs';

const PAGE = 'docs/map.md';

const link = (part) => `[${part}](../src/${part})`;

/** One group of parts. */
const table = ([title, parts]) => `### ${title}

| Folder | Has |
|---|---|
${Object.entries(parts)
  .map(([part, does]) => `| ${link(part)} | ${does} |`)
  .join('\n')}
`;

const page = `# The folders of src/

<!-- Generated from the import rules by scripts/generate-map.mjs. -->

## What it does

Each folder of \`src/\` is a part with one purpose. \`scripts/import-rules.mjs\` has what each part may import and the
lines below. Nearly all parts may import ${LEAVES.map((part) => `\`${part}\``).join(', ')}.

${Object.entries(DESCRIPTIONS).map(table).join('\n')}
## How to use it

\`npm run imports\` checks the rules and \`node scripts/generate-map.mjs\` writes this page. A new folder needs its
permissions and its line in \`scripts/import-rules.mjs\`. A permission for a single file, such as \`time/clock.ts\`,
names an interface that the part offers. Tests are in \`test/\` at the same path.

[lifecycle.md](lifecycle.md) follows a request through the first group. More about single parts:
[type-model.md](type-model.md) (\`model\`, \`kinds\`), [field-ownership.md](field-ownership.md) (\`apply\`),
[steps.md](steps.md) (\`steps\`), [storage.md](storage.md), [admission.md](admission.md),
[controllers.md](controllers.md), [flow-control.md](flow-control.md), [expressions.md](expressions.md) (\`cel\`).

## What differs

| In kube-apiserver | Here |
|---|---|
| \`k8s.io/api\` and the internal types | \`model\`: one declaration per type and version |
| \`pkg/apis\`, \`pkg/registry\` | \`kinds\`: validation, defaults and strategy of a kind in one file or folder |
| \`apimachinery\` | \`model\`, \`codec\`, \`patch\`, \`status\` |
| \`structured-merge-diff\` | \`apply\` |
| \`apiserver/pkg/endpoints\` | \`filters\`, \`handlers\` |
| \`apiserver/pkg/registry/generic\` | \`operations\`, \`resources\` |
| the watch cache of \`apiserver/pkg/storage/cacher\` | \`cache\` |
| informers of \`client-go\` in the server | \`reader\`, \`listers\` |
| \`apiextensions-apiserver\`, \`kube-aggregator\` | \`extensions\` |
| controllers of \`kube-controller-manager\` that the API needs | \`controllers\` |

## What bounds it

Imports have no cycles, neither of files nor of parts. Types count, but not for cycles within one part. A permission that
no file uses is an error. Only \`composition\` and what is listed with it import every part.
`;
if (process.argv.includes('--check')) {
  if (readFileSync(PAGE, 'utf8') !== page) {
    console.error(`${PAGE} is out of date: run node scripts/generate-map.mjs`);
    process.exit(1);
  }
} else writeFileSync(PAGE, page);
