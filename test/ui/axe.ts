import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/** Not called serious, but who walks from landmark to landmark, or by headings, gets lost. */
const ALSO: ReadonlySet<string> = new Set(['region', 'page-has-heading-one', 'landmark-one-main', 'landmark-unique'])

/** What axe finds serious or worse, a line each; by all of its rules, or by some. */
export async function serious(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const found: readonly Violation[] = await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })}).then(r => r.violations)`,
  )
  return found
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || ALSO.has(id))
    .flatMap(({ id, nodes }) => nodes.map(one => `${id}: ${one.target.join(' ')} ${one.failureSummary}`))
}

/** Whether anything sticks out to the side. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(
    '[document.documentElement, document.querySelector("main")].some(one => one.scrollWidth > one.clientWidth)',
  )
