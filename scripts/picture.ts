import { resolve } from 'node:path'
import { renderGateDiagram } from '../src/analysis/explain/index.ts'
import { compilePolicyInMemory } from '../src/analysis/policy-test/index.ts'
import { clients } from '../src/clients/index.ts'
import * as shell from '../src/engine/shell/index.ts'
import { foldersOf } from '../src/hook/index.ts'
import * as regex from '../src/hook/services/regex.ts'
import * as compiler from '../src/policy/compile/compiler.ts'

const PICTURE = /(<!-- gates: [^>]*-->\n)[\s\S]*?(<!-- \/gates -->)/

const ROOT = '/project'

/** The page with the pack's gates drawn where it has a place for them; undefined where it has none. */
export function withPicture(pack: string, text: string): string | undefined {
  if (!PICTURE.test(text)) return undefined
  const pictures = gatesOf(pack).map(gate => `\`\`\`mermaid\n${renderGateDiagram(gate, ROOT)}\n\`\`\`\n`)
  return text.replace(PICTURE, (_, begin, end) => `${begin}\n${pictures.join('\n')}\n${end}`)
}

/** As it comes: with no option set. */
function gatesOf(pack: string) {
  const shared = { clients: () => clients, shell: () => shell, regex: () => regex, compiler: () => compiler }
  const workshop = {
    parts: { ...shared, packsDir: resolve('packs') },
    folders: foldersOf({ HOME: '/home/you' }),
    everyLayer: false,
  }
  const instead = { file: `${ROOT}/signalbox.yaml`, text: `use: [${pack}]\n` }
  const { program, problems } = compilePolicyInMemory({ root: ROOT }, workshop, instead)
  if (problems.length > 0) throw new Error(`${pack}: ${problems[0]?.message}`)
  return elsewhere(program.gates.filter(gate => gate.layer !== 'built-in'))
}

/** A pack may guard the program itself: where that lies on this machine is nobody's business. */
const elsewhere = <T>(gates: readonly T[]): readonly T[] =>
  JSON.parse(JSON.stringify(gates).replaceAll(resolve('.'), '/opt/signalbox'))
