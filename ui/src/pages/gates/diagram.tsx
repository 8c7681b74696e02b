import mermaid from 'mermaid'
import { useEffect, useId, useRef, useState } from 'react'
import type { LiveState } from '../../../../src/dashboard/api.ts'
import { marked } from './marked.ts'

mermaid.initialize({
  startOnLoad: false,
  securityLevel: 'strict',
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  suppressErrorRendering: true,
  deterministicIds: true,
  // colours and letters are those of the page: the style that comes with the drawing is left out
  theme: 'base',
  fontFamily: 'inherit',
})

interface Props {
  readonly text: string
  readonly live: readonly LiveState[]
  readonly name: string
}

/** The states of a gate, and in which of them sessions are. */
export default function Diagram({ text, live, name }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId().replace(/\W/g, '')
  const [problem, setProblem] = useState('')
  const drawing = marked(text, live)
  useEffect(() => {
    let isLeft = false
    const bench = box.current?.appendChild(document.createElement('div'))
    if (!bench) return
    bench.className = 'bench'
    mermaid.render(`d${id}`, drawing, bench).then(
      ({ svg }) => {
        if (!isLeft) box.current?.replaceChildren(drawn(svg, name))
      },
      (error: unknown) => {
        bench.remove()
        if (!isLeft) setProblem(String(error))
      },
    )
    return () => {
      isLeft = true
      bench.remove()
    }
  }, [drawing, id, name])
  return (
    <>
      <div className="diagram" ref={box} />
      {problem && <pre className="inside">{text}</pre>}
    </>
  )
}

/** Only what is drawn: no style, no script, no words that are HTML. */
function drawn(svg: string, name: string): Element {
  const root = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')
  if (!root) throw new Error('nothing was drawn')
  for (const one of root.querySelectorAll('style, script, foreignObject, image, a')) one.remove()
  root.setAttribute('role', 'img')
  root.removeAttribute('aria-roledescription')
  root.setAttribute('aria-label', `States of ${name}`)
  return document.importNode(root, true)
}
