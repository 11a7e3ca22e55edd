// Writes the rows of the tables of the documentation that follow from tables of the source: filters, admission
// plugins, controllers. Usage: npx tsx scripts/generate-tables.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { DOCUMENT_TABLES, withTable } from './support/document-tables.ts';

for (const table of DOCUMENT_TABLES)
  writeFileSync(table.page, withTable(readFileSync(table.page, 'utf8'), table));
