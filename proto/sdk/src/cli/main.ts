#!/usr/bin/env node
import { run } from './run.ts';

// `perch-api <operation>`: for callers of the API, as the SDK is; operators have `npm run perch`.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
});
