import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

/** The warnings about `code` of a gate in the user's policy, beside which these files are. */
function warningsFor(code: string, files: readonly string[]): readonly string[] {
  const house = new House()
  for (const file of files) house.write(`${house.home}/.config/signalbox/${file}`, 'export default {}\n')
  house.user(`gates:\n  g:\n    code: ${code}\n`)
  const { problems, warnings } = house.load()
  expect(problems).toEqual([])
  expect(warnings.map(({ line, column }) => [line, column])).toEqual(warnings.map(() => [3, 5]))
  return warnings.map(({ message, help }) => [message, help].filter(Boolean).join('; '))
}

const FAILS = 'the gate fails, and its `onError` decides'
const BUILD = 'compile it to `.mjs`, and name that file'

describe('the module of a gate in code', () => {
  it.each(['./gate.mjs', './gate.js', './gate.cjs', 'gate.mjs', './a.b/gate', './GATE.MJS', './push.gate.mjs'])(
    'is loaded from `%s`',
    file => {
      expect(warningsFor(file, [file])).toEqual([])
    },
  )

  it.each(['ts', 'mts', 'cts'])('is not certain to load from `gate.%s`', ending => {
    expect(warningsFor(`./gate.${ending}`, [`gate.${ending}`])).toEqual([
      `\`./gate.${ending}\` is TypeScript, which Node before 22.18 cannot load: then ${FAILS}; ${BUILD}`,
    ])
  })

  it.each(['tsx', 'jsx'])('never loads from `gate.%s`', ending => {
    expect(warningsFor(`./gate.${ending}`, [`gate.${ending}`])).toEqual([
      `Node cannot load \`./gate.${ending}\`: ${FAILS}; ${BUILD}`,
    ])
  })

  it.each(['py', 'sh', 'json', 'yaml', 'd'])('is not a file with the ending `.%s`', ending => {
    expect(warningsFor(`./gate.${ending}`, [`gate.${ending}`])).toEqual([
      `\`./gate.${ending}\` is not a JavaScript module: ${FAILS}; write the gate in a \`.mjs\` file; a script in another language is a hook: \`hooks: [{ event, run }]\``,
    ])
  })

  it.each<[string, readonly string[], string]>([
    ['./gate', ['gate.mjs', 'gate.ts'], '; did you mean `./gate.mjs`?'],
    ['./gate', ['gate.ts'], `; \`./gate.ts\` exists: ${BUILD}`],
    ['./gate.js', ['gate.ts'], `; \`./gate.ts\` exists: ${BUILD}`],
    ['./gate.mjs', ['gate.mts'], `; \`./gate.mts\` exists: ${BUILD}`],
    ['./gate.mjs', ['gate.js'], '; did you mean `./gate.js`?'],
    ['./gates/', ['gates/index.mjs'], '; name the file of the module'],
    ['./gates', ['gates/index.mjs'], ''],
    ['./gate.mjs', [], ''],
  ])('is missing: `%s` beside %j', (code, files, help) => {
    expect(warningsFor(code, files)).toEqual([`there is no file \`${code}\`: ${FAILS}${help}`])
  })
})
