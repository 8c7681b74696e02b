import type { Gate, Transition } from '../core/index.ts'
import type { GateState } from '../pattern/index.ts'
import { movingOf, sayingOf, titleOf } from './diagram.ts'
import { arrow, box, broken, LINE, STYLE, TIP, written } from './drawing.ts'
import { type GateLink, linkWords } from './links.ts'
import { traitsOf } from './traits.ts'

const WIDTH = 960
const PAD = 16
const STATE = { width: 250, columns: 34 }
/** Between the two states: arrows, and what moves the gate above each. */
const LANE = { from: 2 * PAD + 24 + STATE.width, to: WIDTH - 2 * PAD - STATE.width, columns: 52 }
const LEFT = LANE.from - STATE.width
const ALONE_COLUMNS = 130

interface Block {
  readonly height: number
  readonly draw: (top: number) => string
}

/** The gates as one SVG, from top to bottom: the state each begins in to the left, what moves it along the arrows. Needs no browser. */
export function pictureOf(gates: readonly Gate[], root: string, links: readonly GateLink[] = []): string {
  const blocks = gates.map(gate => {
    const more = links
      .filter(({ from }) => from === gate.id)
      .flatMap(one => broken(linkWords(one, gates), ALONE_COLUMNS))
    return gate.initial === undefined ? alone(gate, root, more) : stateful(gate, gate.initial, root, more)
  })
  let top = PAD
  const middles: number[] = []
  const drawn = blocks.map(({ height, draw }) => {
    middles.push(top + height / 2)
    const frame = box(PAD, top, WIDTH - 2 * PAD, height, 'gate')
    const block = `${frame}\n${draw(top)}`
    top += height + PAD
    return block
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 ${WIDTH + links.length * PAD} ${top}" role="img" aria-label="gates" font-family="system-ui, sans-serif" font-size="13">`,
    `<style>${STYLE}</style>`,
    TIP,
    ...drawn,
    ...links.map((link, nth) => linkArrow(link, nth, gates, middles)),
    '</svg>',
  ].join('\n')
}

/** Beside the frames, each in a lane of its own, from who refuses to whom that keeps closed. */
function linkArrow({ from, to }: GateLink, nth: number, gates: readonly Gate[], middles: readonly number[]): string {
  const at = (id: string, shift: number): number => (middles[gates.findIndex(one => one.id === id)] ?? 0) + shift
  const edge = WIDTH - PAD
  return arrow(`M${edge} ${at(from, nth * 4 - 6)}H${edge + (nth + 1) * PAD}V${at(to, nth * 4 + 6)}H${edge + 1}`)
}

/** Without a state it is always in force. */
function alone(gate: Gate, root: string, more: readonly string[]): Block {
  const title = broken(titleOf(gate, ', always'), ALONE_COLUMNS)
  const rules = [...said(gate, undefined, root, ALONE_COLUMNS), ...more]
  return {
    height: (title.length + rules.length) * LINE + 2 * PAD,
    draw: top =>
      written(title, 2 * PAD, top + PAD - 4, 'title') +
      written(rules, 2 * PAD, top + PAD + title.length * LINE, 'rule'),
  }
}

function stateful(gate: Gate, initial: GateState, root: string, more: readonly string[]): Block {
  const other: GateState = initial === 'open' ? 'closed' : 'open'
  const name = broken(titleOf(gate), ALONE_COLUMNS)
  const traits = traitsOf(gate, root).flatMap(one => broken(one, ALONE_COLUMNS))
  const title = [
    ...name.slice(0, 1),
    ...traits,
    ...name.slice(1),
    ...said(gate, undefined, root, ALONE_COLUMNS).map(rule => `always: ${rule}`),
    ...more,
  ]
  const moves = gate.transitions.flatMap(one => one.from.filter(from => from !== one.to).map(from => ({ from, one })))
  const lanes = moves.map(({ from, one }) => ({ toRight: from === initial, lines: wordsOn(one, root, LANE.columns) }))
  const states = [initial, other].map(state => {
    const stays = gate.transitions.filter(({ from, to }) => to === state && from.includes(state))
    return {
      state,
      rules: said(gate, state, root, STATE.columns),
      moves: stays.flatMap(one => broken(`stays ${state}: ${wordsOn(one, root, 999).join(' ')}`, STATE.columns)),
    }
  })
  const lane = lanes.reduce((sum, { lines }) => sum + lines.length * LINE + PAD, PAD)
  const tallest = Math.max(...states.map(({ rules, moves: own }) => (1 + rules.length + own.length) * LINE + PAD))
  const inner = Math.max(lane, tallest, 4 * LINE)
  const below = title.length * LINE + PAD
  return {
    height: below + inner + 2 * PAD,
    draw: top => {
      const y = top + below + PAD / 2
      const begin = `<circle class="start" cx="${2 * PAD}" cy="${y + LINE}" r="6"/>`
      return [
        written(title.slice(0, 1), 2 * PAD, top + PAD - 4, 'title'),
        written(traits, 2 * PAD, top + PAD + LINE - 4, 'move'),
        written(title.slice(1 + traits.length), 2 * PAD, top + PAD + (1 + traits.length) * LINE - 4, 'rule'),
        begin,
        arrow(`M${2 * PAD + 6} ${y + LINE}H${LEFT - 1}`),
        ...states.map((one, nth) => stateAt(one, nth === 0 ? LEFT : LANE.to, y, inner)),
        ...lanesFrom(lanes, y),
      ].join('\n')
    },
  }
}

function stateAt(
  { state, rules, moves }: { state: GateState; rules: readonly string[]; moves: readonly string[] },
  x: number,
  y: number,
  height: number,
): string {
  const inside = x + 12
  return [
    box(x, y, STATE.width, height, state),
    written([state], inside, y + 4, 'name'),
    written(rules, inside, y + 4 + LINE, 'rule'),
    written(moves, inside, y + 4 + (1 + rules.length) * LINE, 'move'),
  ].join('\n')
}

function lanesFrom(lanes: readonly { toRight: boolean; lines: readonly string[] }[], top: number): readonly string[] {
  let y = top
  return lanes.map(({ toRight, lines }) => {
    const words = written(lines, LANE.from + 14, y, 'move')
    y += lines.length * LINE + 4
    const line = toRight ? arrow(`M${LANE.from} ${y}H${LANE.to - 1}`) : arrow(`M${LANE.to} ${y}H${LANE.from + 1}`)
    y += PAD - 4
    return `${words}\n${line}`
  })
}

const wordsOn = (transition: Transition, root: string, columns: number): readonly string[] =>
  broken(movingOf(transition, ': ', root), columns)

/** What its rules say in a state, or in every one. */
const said = (gate: Gate, state: GateState | undefined, root: string, columns: number): readonly string[] =>
  [...gate.rules, ...(gate.routes?.list ?? [])]
    .filter(rule => rule.while === state)
    .flatMap(rule => broken(sayingOf(rule, gate, root), columns))
