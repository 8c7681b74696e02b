import type { Page } from 'playwright-core'

/**
 * What is laid out wrongly on a page, a line each: texts that lie on each other, texts that are cut without a sign of it, letters below each
 * other for want of room, heads of columns that are cut, rows of a table as tall as a screen. It knows nothing of the pages: it looks at boxes.
 */
export const crowded = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(CROWDED)

/** Runs in the browser. Boxes are of lines of text, without what an ancestor hides of them. */
const CROWDED = `(() => {
  const found = []
  const said = node => node.textContent.trim().replace(/\\s+/g, ' ').slice(0, 40)
  const hides = style => style.overflowX !== 'visible' || style.overflowY !== 'visible'
  const clipOf = element => {
    let clip = { left: 0, top: 0, right: innerWidth, bottom: Infinity }
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      if (!hides(getComputedStyle(one))) continue
      const box = one.getBoundingClientRect()
      clip = {
        left: Math.max(clip.left, box.left), right: Math.min(clip.right, box.right),
        top: Math.max(clip.top, box.top), bottom: Math.min(clip.bottom, box.bottom),
      }
    }
    return clip
  }
  // a line that is drawn over the page on purpose: menus, skip links, what only a reader of the page hears
  const isApart = element => {
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      if (one.matches('.only-read, option, [aria-hidden="true"] canvas')) return true
      const { position } = getComputedStyle(one)
      if (position === 'fixed' || position === 'sticky') return true
    }
    return false
  }
  const lines = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const clips = new Map()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!node.textContent.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isApart(element)) continue
    if (!clips.has(element)) clips.set(element, clipOf(element))
    const clip = clips.get(element)
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(one => one.width > 0.5)
    const widest = Math.max(0, ...rects.map(one => one.width))
    if (rects.length > 3 && said(node).length > 5 && widest < 30) found.push('letter by letter: ' + said(node))
    for (const { left, right, top, bottom } of rects) {
      const box = {
        left: Math.max(left, clip.left), right: Math.min(right, clip.right),
        top: Math.max(top, clip.top), bottom: Math.min(bottom, clip.bottom),
      }
      if (box.right - box.left > 1 && box.bottom - box.top > 1) lines.push({ ...box, node, element })
      else if (right <= 0 || left >= innerWidth) found.push('beside the page: ' + said(node))
    }
  }
  // lines of text have room of their own above and below the letters: so much of them may overlap
  const SLACK = 3
  lines.sort((a, b) => a.top - b.top)
  for (const [nth, a] of lines.entries())
    for (let next = nth + 1; next < lines.length && lines[next].top < a.bottom - SLACK; next++) {
      const b = lines[next]
      if (a.node === b.node) continue
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (wide > SLACK && tall > SLACK) found.push('on each other: ' + said(a.node) + ' / ' + said(b.node))
    }
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility() || isApart(element) || element.closest('svg, .uplot')) continue
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    const isCut = element.scrollWidth > element.clientWidth + 1
    const isText = [...element.childNodes].some(one => one.nodeType === 3 && one.textContent.trim())
    if (isText && isCut && style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis') found.push('cut: ' + said(element))
    if (element.matches('th, button, label, h1, h2, dt') && isText && isCut && style.overflowX !== 'auto' && !element.matches('.cut')) found.push('head or button cut: ' + said(element))
    if (element.matches('th, td') && element.textContent.trim() && box.width < 24) found.push('column without room: ' + said(element))
    if (element.matches('tr') && box.height > 100) found.push('tall row: ' + said(element))
    if (style.textOverflow === 'ellipsis' && isCut && said(element).length > 3 && element.clientWidth < 36) found.push('no room: ' + said(element))
  }
  return [...new Set(found)].slice(0, 12)
})()`
