import { defineConfig } from 'vitest/config'

/** Tests that hold the command to its time: one file after the other, and with few beside each other. */
const TIMED = [
  'test/daemon/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/native/**/*.test.ts',
  'test/runtime/!(witness).test.ts',
]

const common = { testTimeout: 20_000, setupFiles: ['test/seed.ts'] }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'timed',
          include: TIMED,
          maxWorkers: 1,
          maxConcurrency: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'rest',
          include: ['test/**/*.test.ts'],
          exclude: [...TIMED, '**/node_modules/**'],
          maxWorkers: 2,
          maxConcurrency: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
