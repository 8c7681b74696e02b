import type { Gate } from '../../../engine/index.ts'

/** A gate refuses what would open another. */
export interface GateLink {
  /** ids of gates */
  readonly from: string
  readonly to: string
  readonly rule: string
  /** what opens the other, as one would say it */
  readonly what: string
}

/** `ask refuses "npm test" that succeeds, which opens tests` */
export const describeGateLink = ({ rule, what, to }: GateLink, gates: readonly Gate[]): string =>
  `${rule} refuses ${what}, which opens ${gates.find(one => one.id === to)?.name ?? to}`

/** Gates and who refuses whose opener, as a Mermaid flow chart; empty where nobody does. */
export function renderGateLinksDiagram(links: readonly GateLink[], gates: readonly Gate[]): string {
  if (links.length === 0) return ''
  const node = (id: string): string => `g${gates.findIndex(one => one.id === id)}`
  const linked = gates.filter(({ id }) => links.some(({ from, to }) => from === id || to === id))
  return [
    'flowchart LR',
    ...linked.map(({ id, name }) => `  ${node(id)}["${escapeMermaid(name)}"]`),
    ...links.map(
      link => `  ${node(link.from)} -- "${escapeMermaid(describeGateLink(link, gates))}" --> ${node(link.to)}`,
    ),
  ].join('\n')
}

/** In quotes Mermaid reads only these as signs of its own. */
const escapeMermaid = (text: string): string =>
  text.replace(/[#"<>]/g, sign => `#${sign.charCodeAt(0)};`).replaceAll('`', "'")
