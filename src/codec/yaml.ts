export { parseYaml } from './yaml-parse.ts';
export { writeYaml } from './yaml-write.ts';
