import type { Gate } from '../../../engine/index.ts'

/** A rule of gate `from` denies a call that would open gate `to`. */
export interface GateObstruction {
  /** gate ids */
  readonly from: string
  readonly to: string
  readonly rule: string
  /** the call that opens `to`, in words */
  readonly what: string
}

/** `ask refuses "npm test" that succeeds, which opens tests` */
export const describeObstruction = ({ rule, what, to }: GateObstruction, gates: readonly Gate[]): string =>
  `${rule} refuses ${what}, which opens ${gates.find(gate => gate.id === to)?.name ?? to}`

/** Renders which gate denies the opening of which other gate as a Mermaid flow chart; empty if there are no links. */
export function renderObstructionDiagram(links: readonly GateObstruction[], gates: readonly Gate[]): string {
  if (links.length === 0) return ''
  const node = (id: string): string => `g${gates.findIndex(gate => gate.id === id)}`
  const linked = gates.filter(({ id }) => links.some(({ from, to }) => from === id || to === id))
  return [
    'flowchart LR',
    ...linked.map(({ id, name }) => `  ${node(id)}["${escapeMermaid(name)}"]`),
    ...links.map(
      link => `  ${node(link.from)} -- "${escapeMermaid(describeObstruction(link, gates))}" --> ${node(link.to)}`,
    ),
  ].join('\n')
}

/** Inside quotes, only these characters have a meaning in Mermaid. */
const escapeMermaid = (text: string): string =>
  text.replace(/[#"<>]/g, sign => `#${sign.charCodeAt(0)};`).replaceAll('`', "'")
