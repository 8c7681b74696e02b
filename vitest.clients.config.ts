import { defineConfig } from 'vitest/config'

/** End to end with the real clients: `npm run test:clients`. */
export default defineConfig({
  test: {
    include: ['test/real-clients/**/*.e2e.ts'],
    testTimeout: 180_000,
    maxConcurrency: 2,
    maxWorkers: 2,
    // with --only, some files have no test for that client; clients.e2e.ts fails if no client is left
    passWithNoTests: true,
  },
})
