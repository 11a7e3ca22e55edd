// The command as one bundle, for Node.js: `main.js` loads it with the code that the build compiled.
export { runProcess, startByNode } from '../cli/process.ts';
