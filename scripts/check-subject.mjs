#!/usr/bin/env node
// Checks the subject of a commit message: `area: what it does`, at most 72 characters. Git's own subjects pass.
//
// node scripts/check-subject.mjs FILE-OF-THE-MESSAGE
import { readFileSync } from 'node:fs';

const MAXIMUM_CHARACTERS = 72;
/** An area, or several separated by commas, and what the commit does. */
const FORM = /^[^\s:][^:]*: \S/;
/** Subjects that Git writes. */
const OF_GIT = /^(Merge |Revert "|(fixup|squash|amend)! )/;

function problemOf(subject) {
  if (subject === undefined || OF_GIT.test(subject)) return undefined;
  const characters = [...subject].length;
  if (characters > MAXIMUM_CHARACTERS) return `has ${characters} characters; at most ${MAXIMUM_CHARACTERS}`;
  if (!FORM.test(subject)) return 'does not have the form `area: what it does`';
  return undefined;
}

// Git removes empty lines at the beginning and comments, and refuses an empty message.
const subject = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .map((line) => line.trimEnd())
  .find((line) => line !== '' && !line.startsWith('#'));
const problem = problemOf(subject);
if (problem !== undefined) {
  console.error(`the subject of the commit ${problem}: ${subject}`);
  process.exitCode = 1;
}
