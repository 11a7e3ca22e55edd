export { parseYaml, parsingYaml } from './yaml-parse.ts';
export { writeYaml, yamlParts } from './yaml-write.ts';
