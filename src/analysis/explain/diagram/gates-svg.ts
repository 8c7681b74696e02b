import type { Gate, GateState, Transition } from '../../../engine/index.ts'
import { describeRule, describeTransition, gateTitle } from './gate-diagram.ts'
import { describeObstruction, type GateObstruction } from './gate-obstructions.ts'
import { gateTraits } from './gate-traits.ts'
import { ARROW_MARKER, LINE_HEIGHT, SVG_STYLE, svgArrow, svgBox, svgText, wrapText } from './svg-elements.ts'

const WIDTH = 960
const PADDING = 16
const STATE_BOX = { width: 250, columns: 34 }
/** The space between the two state boxes: arrows, each with its transition's text above. */
const LANE = { from: 2 * PADDING + 24 + STATE_BOX.width, to: WIDTH - 2 * PADDING - STATE_BOX.width, columns: 52 }
const LEFT = LANE.from - STATE_BOX.width
const FULL_WIDTH_COLUMNS = 130

interface SvgBlock {
  readonly height: number
  readonly draw: (top: number) => string
}

/** Renders all gates as one SVG, top to bottom: the initial state on the left, transitions along the arrows. Needs no browser. */
export function renderGatesSvg(gates: readonly Gate[], root: string, links: readonly GateObstruction[] = []): string {
  const blocks = gates.map(gate => {
    const more = links
      .filter(({ from }) => from === gate.id)
      .flatMap(link => wrapText(describeObstruction(link, gates), FULL_WIDTH_COLUMNS))
    return gate.initial === undefined
      ? statelessGateBlock(gate, root, more)
      : statefulGateBlock(gate, gate.initial, root, more)
  })
  let top = PADDING
  const middles: number[] = []
  const drawn = blocks.map(({ height, draw }) => {
    middles.push(top + height / 2)
    const frame = svgBox(PADDING, top, WIDTH - 2 * PADDING, height, 'gate')
    const block = `${frame}\n${draw(top)}`
    top += height + PADDING
    return block
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 ${WIDTH + links.length * PADDING} ${top}" role="img" aria-label="gates" font-family="system-ui, sans-serif" font-size="13">`,
    `<style>${SVG_STYLE}</style>`,
    ARROW_MARKER,
    ...drawn,
    ...links.map((link, nth) => gateLinkArrow(link, nth, gates, middles)),
    '</svg>',
  ].join('\n')
}

/** Draws a link to the right of the frames, in its own lane: from the denying gate to the gate that stays closed. */
function gateLinkArrow(
  { from, to }: GateObstruction,
  nth: number,
  gates: readonly Gate[],
  middles: readonly number[],
): string {
  const at = (id: string, shift: number): number => (middles[gates.findIndex(gate => gate.id === id)] ?? 0) + shift
  const edge = WIDTH - PADDING
  return svgArrow(`M${edge} ${at(from, nth * 4 - 6)}H${edge + (nth + 1) * PADDING}V${at(to, nth * 4 + 6)}H${edge + 1}`)
}

/** A gate without state always applies. */
function statelessGateBlock(gate: Gate, root: string, more: readonly string[]): SvgBlock {
  const title = wrapText(gateTitle(gate, ', always'), FULL_WIDTH_COLUMNS)
  const rules = [...ruleLines(gate, undefined, root, FULL_WIDTH_COLUMNS), ...more]
  return {
    height: (title.length + rules.length) * LINE_HEIGHT + 2 * PADDING,
    draw: top =>
      svgText(title, 2 * PADDING, top + PADDING - 4, 'title') +
      svgText(rules, 2 * PADDING, top + PADDING + title.length * LINE_HEIGHT, 'rule'),
  }
}

function statefulGateBlock(gate: Gate, initial: GateState, root: string, more: readonly string[]): SvgBlock {
  const other: GateState = initial === 'open' ? 'closed' : 'open'
  const name = wrapText(gateTitle(gate), FULL_WIDTH_COLUMNS)
  const traits = gateTraits(gate, root).flatMap(trait => wrapText(trait, FULL_WIDTH_COLUMNS))
  const title = [
    ...name.slice(0, 1),
    ...traits,
    ...name.slice(1),
    ...ruleLines(gate, undefined, root, FULL_WIDTH_COLUMNS).map(rule => `always: ${rule}`),
    ...more,
  ]
  const moves = gate.transitions.flatMap(transition =>
    transition.from.filter(from => from !== transition.to).map(from => ({ from, one: transition })),
  )
  const lanes = moves.map(({ from, one }) => ({
    toRight: from === initial,
    lines: transitionLines(one, root, LANE.columns),
  }))
  const states = [initial, other].map(state => {
    const stays = gate.transitions.filter(({ from, to }) => to === state && from.includes(state))
    return {
      state,
      rules: ruleLines(gate, state, root, STATE_BOX.columns),
      moves: stays.flatMap(stay =>
        wrapText(`stays ${state}: ${transitionLines(stay, root, 999).join(' ')}`, STATE_BOX.columns),
      ),
    }
  })
  const lane = lanes.reduce((sum, { lines }) => sum + lines.length * LINE_HEIGHT + PADDING, PADDING)
  const tallest = Math.max(
    ...states.map(({ rules, moves: own }) => (1 + rules.length + own.length) * LINE_HEIGHT + PADDING),
  )
  const inner = Math.max(lane, tallest, 4 * LINE_HEIGHT)
  const below = title.length * LINE_HEIGHT + PADDING
  return {
    height: below + inner + 2 * PADDING,
    draw: top => {
      const y = top + below + PADDING / 2
      const begin = `<circle class="start" cx="${2 * PADDING}" cy="${y + LINE_HEIGHT}" r="6"/>`
      return [
        svgText(title.slice(0, 1), 2 * PADDING, top + PADDING - 4, 'title'),
        svgText(traits, 2 * PADDING, top + PADDING + LINE_HEIGHT - 4, 'move'),
        svgText(
          title.slice(1 + traits.length),
          2 * PADDING,
          top + PADDING + (1 + traits.length) * LINE_HEIGHT - 4,
          'rule',
        ),
        begin,
        svgArrow(`M${2 * PADDING + 6} ${y + LINE_HEIGHT}H${LEFT - 1}`),
        ...states.map((state, nth) => drawState(state, nth === 0 ? LEFT : LANE.to, y, inner)),
        ...drawLanes(lanes, y),
      ].join('\n')
    },
  }
}

function drawState(
  { state, rules, moves }: { state: GateState; rules: readonly string[]; moves: readonly string[] },
  x: number,
  y: number,
  height: number,
): string {
  const inside = x + 12
  return [
    svgBox(x, y, STATE_BOX.width, height, state),
    svgText([state], inside, y + 4, 'name'),
    svgText(rules, inside, y + 4 + LINE_HEIGHT, 'rule'),
    svgText(moves, inside, y + 4 + (1 + rules.length) * LINE_HEIGHT, 'move'),
  ].join('\n')
}

function drawLanes(lanes: readonly { toRight: boolean; lines: readonly string[] }[], top: number): readonly string[] {
  let y = top
  return lanes.map(({ toRight, lines }) => {
    const words = svgText(lines, LANE.from + 14, y, 'move')
    y += lines.length * LINE_HEIGHT + 4
    const line = toRight ? svgArrow(`M${LANE.from} ${y}H${LANE.to - 1}`) : svgArrow(`M${LANE.to} ${y}H${LANE.from + 1}`)
    y += PADDING - 4
    return `${words}\n${line}`
  })
}

const transitionLines = (transition: Transition, root: string, columns: number): readonly string[] =>
  wrapText(describeTransition(transition, ': ', root), columns)

/** The rules of one state; with `state` undefined, the rules that apply in every state. */
const ruleLines = (gate: Gate, state: GateState | undefined, root: string, columns: number): readonly string[] =>
  [...gate.rules, ...(gate.routes?.list ?? [])]
    .filter(rule => rule.while === state)
    .flatMap(rule => wrapText(describeRule(rule, gate, root), columns))
