import mermaid from 'mermaid'
import { useEffect, useId, useRef, useState } from 'react'
import type { LiveGateState } from '../../../../src/app/dashboard/api.ts'
import { placeLabelsBeside } from './label-placement.ts'
import { markLiveStates } from './mark-live-states.ts'

/** On narrower screens, states are stacked. */
const WIDE = 760

mermaid.initialize({
  startOnLoad: false,
  securityLevel: 'strict',
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  suppressErrorRendering: true,
  deterministicIds: true,
  // the page's own colours and fonts apply: the drawing's style element is removed
  theme: 'base',
  fontFamily: 'inherit',
})

interface Props {
  readonly text: string
  readonly live: readonly LiveGateState[]
  readonly name: string
}

/** A gate's state diagram, with the live sessions in each state. */
export default function Diagram({ text, live, name }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId().replace(/\W/g, '')
  const [problem, setProblem] = useState('')
  const isWide = innerWidth > WIDE
  const drawing = markLiveStates(text, live, isWide)
  useEffect(() => {
    let isLeft = false
    // rendered outside of the page's content, which may be removed during measuring
    const bench = document.body.appendChild(document.createElement('div'))
    bench.className = 'diagram bench'
    mermaid
      .render(`d${id}`, drawing, bench)
      .then(
        ({ svg }) => {
          if (!isLeft && box.current) place(drawn(svg, name), box.current, isWide)
        },
        (error: unknown) => {
          if (!isLeft) setProblem(String(error))
        },
      )
      .finally(() => bench.remove())
    return () => {
      isLeft = true
    }
  }, [drawing, id, name, isWide])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys */}
      <section className="diagram" ref={box} tabIndex={0} aria-label={`Drawing of ${name}`} />
      {problem && <pre className="inside">{text}</pre>}
    </>
  )
}

const EDGE = 6
/** Smaller text is unreadable, so the diagram scrolls instead. */
const LEAST = 0.85

/** Crops the drawing to its content: Mermaid adds empty space. */
function place(svg: SVGSVGElement, box: HTMLElement, isWide: boolean): void {
  box.replaceChildren(svg)
  if (isWide) placeLabelsBeside(svg)
  const { x, y, width, height } = svg.getBBox()
  svg.setAttribute('viewBox', [x - EDGE, y - EDGE, width + 2 * EDGE, height + 2 * EDGE].join(' '))
  const wide = width + 2 * EDGE
  svg.style.maxWidth = `${wide}px`
  svg.style.minWidth = `${wide * LEAST}px`
}

/** Sanitizes the drawing: removes styles, scripts, HTML labels and links. */
function drawn(svg: string, name: string): SVGSVGElement {
  const root = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')
  if (!root) throw new Error('nothing was drawn')
  for (const one of root.querySelectorAll('style, script, foreignObject, image, a')) one.remove()
  for (const one of [root, ...root.querySelectorAll('*')])
    for (const { name: attribute } of [...one.attributes])
      if (/^on|href$/i.test(attribute)) one.removeAttribute(attribute)
  root.setAttribute('role', 'img')
  root.removeAttribute('aria-roledescription')
  root.setAttribute('aria-label', `States of ${name}`)
  return document.importNode(root, true)
}
