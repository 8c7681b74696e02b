import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { withSandbox } from '../support/sandbox.ts'

interface Failing {
  readonly name: string
  readonly policy?: string
  readonly tests: string
  readonly exit: number
  readonly says: readonly string[]
  readonly not?: readonly string[]
}

const ROOT = join(import.meta.dirname, '../..')
const cases: readonly Failing[] = parse(readFileSync(join(import.meta.dirname, 'cases.yaml'), 'utf8'))
const DEMO = readFileSync(join(ROOT, 'demo/signalbox.yaml'), 'utf8')

describe('tests of a policy that must fail', () => {
  it.each(cases.map(one => [one.name, one] as const))('%s', (_, { policy = DEMO, tests, exit, says, not = [] }) =>
    withSandbox({ project: policy }, async sandbox => {
      writeFileSync(join(sandbox.project, 'cart.test.yaml'), tests)
      const { exitCode, stdout, stderr } = await sandbox.run(['test'])
      expect({ exitCode, stderr }).toEqual({ exitCode: exit, stderr: '' })
      expect(says.filter(line => !stdout.includes(line)).map(line => `${line} is not in\n${stdout}`)).toEqual([])
      expect(not.filter(line => stdout.includes(line))).toEqual([])
    }),
  )
})
