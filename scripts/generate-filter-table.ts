// Writes the filter rows of docs/lifecycle.md from the list in src/filters/chain.ts: npx tsx
// scripts/generate-filter-table.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { filterTableRows } from '../src/filters/chain.ts';

const PAGE = 'docs/lifecycle.md';
const BEGIN = '| tracking |';
const END = '| router |';

const page = readFileSync(PAGE, 'utf8');
const begin = page.indexOf(BEGIN);
const end = page.indexOf(END);
if (begin < 0 || end < begin) throw new Error(`${PAGE}: no table rows from ${BEGIN} to ${END}`);
writeFileSync(PAGE, `${page.slice(0, begin)}${filterTableRows()}\n${page.slice(end)}`);
