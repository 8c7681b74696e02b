import { defineConfig } from 'vitest/config'

/** In a real browser: `npm run test:ui`; the pictures of the documentation: `npm run screenshots`. */
export default defineConfig({
  test: {
    include: [process.env.SCREENSHOTS ? 'test/ui/**/*.shots.ts' : 'test/ui/**/*.ui.ts'],
    // a browser, a daemon and native hooks on a machine that does other work too: these only end what hangs
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
})
