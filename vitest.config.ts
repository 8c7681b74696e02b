import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Four tiers, by the end of a file's name. `npm test` runs the first and SMOKE, `npm run test:all` everything.
 *
 * | *.test.ts         | in this process, at most a second a test                                        |
 * | *.process.test.ts | starts processes; holds nothing to its time, only that it ends                  |
 * | *.timed.test.ts   | holds the command to its time: one file after the other, nothing beside it      |
 * | *.long.test.ts    | budgets, fuzz, every choice of packs, agreement, properties with many rounds    |
 */
const tier = (name: string) => `test/**/*.${name}.test.ts`

/** The real command, end to end, for every client: processes that are worth their seconds in `npm test`. */
const SMOKE = ['test/wire/wire.process.test.ts']

/** A small file that takes long would be the last to start, as files start by their size, and one core would wait for it. */
const FIRST = [
  'test/packs.test.ts',
  'test/wire/wire.test.ts',
  'test/check/packs.long.test.ts',
  'test/check/speed.long.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => FIRST.some(name => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isFirst), ...sorted.filter(file => !isFirst(file))]
  }
}

const common = { setupFiles: ['test/support/seed.ts'], maxConcurrency: 4 }
// not how quick anything is, only that it ends: a busy machine plays a recorded session in half a minute
const patient = { ...common, testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 2 }

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...patient,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [tier('process'), tier('timed'), tier('long'), '**/node_modules/**'],
          setupFiles: [...common.setupFiles, 'test/support/no-node-processes.ts'],
          // Files of one worker share their modules: loading all of `src` for each file again takes half of the time.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...patient, name: 'smoke', include: SMOKE, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...patient,
          name: 'process',
          include: [tier('process')],
          exclude: [...SMOKE, '**/node_modules/**'],
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...patient, name: 'long', include: [tier('long')], sequence: { groupOrder: 2 } } },
      {
        test: {
          ...common,
          testTimeout: 20_000,
          name: 'timed',
          include: [tier('timed')],
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
