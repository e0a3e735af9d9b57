/** Writes the JSON Schema files of `config/schema/` anew (`npm run schema`); a test compares them with the code. */
import { writeFileSync } from 'node:fs';
import { jsonSchemaFiles } from './json-schema.ts';

for (const { file, text } of jsonSchemaFiles()) writeFileSync(file, text);
