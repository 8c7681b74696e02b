import { defineConfig } from 'vitest/config'

/** In a real browser: `npm run test:ui`; the pictures of the documentation: `npm run screenshots`. */
export default defineConfig({
  test: {
    include: [process.env.SCREENSHOTS ? 'test/ui/**/*.shots.ts' : 'test/ui/**/*.ui.ts'],
    testTimeout: process.env.SCREENSHOTS ? 180_000 : 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
