import { defineConfig } from 'vitest/config'

/** Tests that hold the command to its time, to parts of a second or with many calls at once: one file after the other. */
const TIMED = [
  'test/daemon/**/*.test.ts',
  'test/hostile/resident.test.ts',
  'test/faults/{hook,table,load,unjudged,declared}.test.ts',
  'test/native/**/*.test.ts',
]

/** Those that hold it to seconds, and wait for most of them, with few calls at once: two files beside each other. */
const PATIENT = ['test/faults/!(hook|table|load|unjudged|declared).test.ts', 'test/runtime/!(witness).test.ts']

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
          name: 'patient',
          include: PATIENT,
          maxWorkers: 2,
          maxConcurrency: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          // not how quick anything is, only that it ends: a busy machine plays a recorded session in half a minute
          testTimeout: 120_000,
          name: 'rest',
          include: ['test/**/*.test.ts'],
          exclude: [...TIMED, ...PATIENT, '**/node_modules/**'],
          maxWorkers: 2,
          maxConcurrency: 4,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
