import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder } from '../support/remove-folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = (program: string, args: readonly string[], cwd: string): Promise<{ status: number; output: string }> =>
  new Promise(done => {
    // a test runner's own variables would change what `node --test` prints
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' }
    execFile(program, args, { cwd, env, timeout: 100_000 }, (error, stdout, stderr) =>
      done({ status: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    )
  })

/** A project that has the package installed, as it would be published. */
let project: string
let tarball: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'signalbox-package-'))
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project]
  tarball = join(project, execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }).trim())
  execFileSync('tar', ['-xf', tarball, '-C', project])
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(project, 'package'), join(project, 'node_modules/signalbox'))
  for (const name of ['vitest', '@types/node'])
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  for (const name of ['gate-in-code', 'policy-unit-tests'])
    cpSync(join(ROOT, 'examples', name), join(project, name), { recursive: true })
  mkdirSync(join(project, 'guide'))
  for (const [nth, text] of pageExamples().entries()) writeFileSync(join(project, `guide/${nth + 1}.mjs`), text)
})
afterAll(() => removeFolder(project))

const withoutComments = (text: string): string => text.replace(/ *\/\*\*[\s\S]*?\*\/\n/g, '')

const pageExamples = (): readonly string[] =>
  [...readFileSync(join(ROOT, 'docs/guide/api.md'), 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
    ([, text = '']) => text,
  )

describe('the package', () => {
  it.each([
    ['signalbox', ['allow', 'ask', 'defineGate', 'deny', 'pass']],
    ['signalbox/testing', ['PolicyError', 'policy', 'policyFile']],
    ['signalbox/policy', ['check', 'compile', 'evaluate', 'formatDiagnostic']],
  ])('%s exports what is promised, and nothing else', async (name, names) => {
    const code = `console.log(JSON.stringify(Object.keys(await import('${name}')).sort()))`
    const { output } = await run(process.execPath, ['--input-type=module', '-e', code], project)
    expect(JSON.parse(output)).toEqual(names)
  })

  it('has the types of the API, and of nothing else', async () => {
    const types = join(project, 'package/dist/types')
    const all = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
    const report = all.sort().map(file => `== ${file}\n${withoutComments(readFileSync(join(types, file), 'utf8'))}`)
    // whoever changes this file changes a promise: `-u` rewrites it
    await expect(report.join('\n')).toMatchFileSnapshot('api-report.txt')
  })

  it('is published as publint wants it', async () => {
    const { status, output } = await run(join(ROOT, 'node_modules/.bin/publint'), ['run', '--strict', tarball], ROOT)
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('All good!') })
  })

  it('has types that every kind of ESM resolution finds', async () => {
    const args = [tarball, '--profile', 'esm-only', '--format', 'json']
    const { status, output } = await run(join(ROOT, 'node_modules/.bin/attw'), args, ROOT)
    const { problems, analysis } = JSON.parse(output)
    const entries = Object.keys(analysis.entrypoints)
    const found = Object.values<readonly { resolutionKind: string }[]>(problems ?? {}).flat()
    const counted = found.filter(one => !['node10', 'node16-cjs'].includes(one.resolutionKind))
    expect({ status, counted }).toEqual({ status: 0, counted: [] })
    expect(entries).toEqual(['.', './testing', './policy', './schema/*', './package.json'])
  })
})

describe('examples of the API', () => {
  it.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])('compile, with moduleResolution %s', async (moduleResolution, module) => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      allowJs: true,
      checkJs: true,
      target: 'es2022',
      types: ['node'],
    }
    const more = {
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      lib: ['es2022'],
    }
    // vitest's own types need more than the language
    const files = ['gate-in-code/*.mjs', 'policy-unit-tests/*.mjs', 'guide/*.mjs']
    const config = { compilerOptions: { ...compilerOptions, ...more, moduleResolution, module }, include: files }
    writeFileSync(join(project, `tsconfig.${moduleResolution}.json`), JSON.stringify(config))
    const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', `tsconfig.${moduleResolution}.json`]
    expect(await run(process.execPath, args, project)).toEqual({ status: 0, output: '' })
    const withVitest = {
      compilerOptions: { ...config.compilerOptions, skipLibCheck: true, lib: ['es2023', 'dom'] },
      include: ['policy-unit-tests/*.ts'],
    }
    writeFileSync(join(project, `tsconfig.${moduleResolution}.json`), JSON.stringify(withVitest))
    expect(await run(process.execPath, args, project)).toEqual({ status: 0, output: '' })
  })

  it('run with node --test', async () => {
    for (const [folder, file] of [
      ['gate-in-code', 'commit-message.test.mjs'],
      ['policy-unit-tests', 'policy.test.mjs'],
    ] as const) {
      const { status, output } = await run(process.execPath, ['--test', file], join(project, folder))
      expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/pass [1-9]/) })
    }
  })

  it('run with vitest', async () => {
    const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'policy.test.ts', '--root', '.']
    const { status, output } = await run(process.execPath, args, join(project, 'policy-unit-tests'))
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/Tests\s+5 passed/) })
  })

  it.each(pageExamples().map((_, nth) => nth + 1))('of the guide run: %i', async nth => {
    const { status, output } = await run(process.execPath, [join(project, `guide/${nth}.mjs`)], project)
    expect({ status, output }).toEqual({ status: 0, output: expect.not.stringContaining('not ok') })
  })
})
