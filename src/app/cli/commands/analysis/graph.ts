import { renderGateDiagram, renderGatesSvg, renderObstructionDiagram } from '../../../../analysis/explain/index.ts'
import { didYouMean, type Policy } from '../../../../policy/index.ts'
import type { Command } from '../../command.ts'
import { brokenLayerNotes, openProject } from '../../project.ts'
import { findGateObstructions } from './gate-obstructions.ts'

export const graphCommand: Command = {
  name: 'graph',
  summary:
    'Draw the gates as state diagrams (Mermaid in Markdown, or SVG): what opens and closes them, what they block.',
  usage: '[gate …] [--svg] [--all] [--json]',
  example: 'signalbox graph --svg > gates.svg',
  options: {
    svg: { type: 'boolean', about: 'print one SVG picture' },
    all: { type: 'boolean', about: 'include built-in gates' },
    json: { type: 'boolean', about: 'print a JSON list of { gate, mermaid }' },
  },
  positionals: true,
  forPrograms: () => true,
  async run({ values, positionals, terminal }) {
    const project = openProject(terminal)
    const { policy, root } = project
    const all = policy.program.gates
    for (const note of brokenLayerNotes(project)) terminal.err(`signalbox graph: ${note}\n`)
    const shown =
      positionals.length > 0
        ? all.filter(gate => positionals.some(positional => positional === gate.name || positional === gate.id))
        : all.filter(gate => values.all || gate.layer !== 'built-in')
    const unknown = positionals.find(
      positional => !all.some(gate => positional === gate.name || positional === gate.id),
    )
    if (unknown !== undefined && isGateOff(unknown, policy.program)) {
      terminal.err(`signalbox graph: gate \`${unknown}\` is off (\`mode: off\`)\n`)
      return 2
    }
    if (unknown !== undefined) {
      const names = all.filter(gate => gate.layer !== 'built-in').map(gate => gate.name)
      const near = didYouMean(
        unknown,
        all.map(gate => gate.name),
      )
      const guess = near ?? (names.length > 0 ? `there are ${names.slice(0, 8).join(', ')}` : '')
      terminal.err(`signalbox graph: unknown gate \`${unknown}\`${guess ? `; ${guess}` : ''}\n`)
      return 2
    }
    if (shown.length === 0) {
      terminal.err('signalbox graph: this policy has no gates; `--all` shows the built-in ones\n')
      return 2
    }
    const links = findGateObstructions(shown, project)
    if (values.svg) {
      terminal.out(`${renderGatesSvg(shown, root, links)}\n`)
      return 0
    }
    const drawn = shown.map(gate => ({ gate: gate.id, mermaid: renderGateDiagram(gate, root) }))
    if (values.json) terminal.out(`${JSON.stringify(drawn, null, 2)}\n`)
    else terminal.out(diagramsText(drawn) + linksSection(renderObstructionDiagram(links, shown)))
    return 0
  },
}

const isGateOff = (name: string, { off = [] }: Policy): boolean =>
  off.some(id => id === name || id.endsWith(`/${name}`))

/** The section after the gates: which gate denies what opens another. */
const linksSection = (mermaid: string): string =>
  mermaid === '' ? '' : `\n## Links between gates\n\n\`\`\`mermaid\n${mermaid}\n\`\`\`\n`

interface GateDiagram {
  readonly gate: string
  readonly mermaid: string
}

/** A single diagram is printed as it is. Mermaid reads one diagram per text, so several become Markdown with one block each. */
function diagramsText(drawn: readonly GateDiagram[]): string {
  const [only, second] = drawn
  if (only && !second) return `%% ${only.gate}\n${only.mermaid}\n`
  return drawn.map(({ gate, mermaid }) => `## ${gate}\n\n\`\`\`mermaid\n${mermaid}\n\`\`\`\n`).join('\n')
}
