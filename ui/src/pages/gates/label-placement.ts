const GAP = 3

/** Puts labels beside horizontal arrows. With more than two labels it would be unclear which arrow they belong to. */
export function placeLabelsBeside(svg: SVGSVGElement): void {
  const labels = [...svg.querySelectorAll<SVGGElement>('g.edgeLabel')].filter(one => one.textContent?.trim())
  if (labels.length === 0 || labels.length > 2) return
  const boxes = labels.map(one => one.getBoundingClientRect())
  const middle = boxes.reduce((sum, { y, height }) => sum + y + height / 2, 0) / boxes.length
  for (const [nth, label] of labels.entries()) {
    const box = boxes[nth]
    if (!box) continue
    const isAbove = box.y + box.height / 2 <= middle
    const { height } = label.getBBox()
    const by = (height / 2 + GAP) * (isAbove ? -1 : 1)
    label.setAttribute('transform', `${label.getAttribute('transform') ?? ''} translate(0, ${by})`)
  }
}
