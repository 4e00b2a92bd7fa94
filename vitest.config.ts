import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As Node itself resolves: graphql has a build of its own for development, and two of it in a process do not mix.
  ssr: { resolve: { conditions: ['module-sync', 'node'] } },
  test: {
    include: [
      '{proto,proto/sdk,gateway,gateway/dashboard,services/*,deploy/*}/src/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', 'test/load/**'],
    globalSetup: ['test/engines.ts'],
    // Most tests wait for real servers; more workers than cores only make them wait for each other.
    maxWorkers: 3,
    // Of the tests within a file that say they are concurrent; those wait, too.
    maxConcurrency: 45,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // How long to wait for something to become true; it is awaited, so a long limit costs nothing.
    expect: { poll: { timeout: 10_000 } },
  },
});
