import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What operators can ask for, as proto has it. */
export function readSdl(): string {
  return readFileSync(fileURLToPath(import.meta.resolve('@perch/proto/operators.graphql')), 'utf8');
}
