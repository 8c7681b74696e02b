import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/** What axe finds serious or worse, a line each. */
export async function serious(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const found: readonly Violation[] = await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(r => r.violations)',
  )
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(one => `${id}: ${one.target.join(' ')} ${one.failureSummary}`))
}

/** Whether anything sticks out to the side. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(
    '[document.documentElement, document.querySelector("main")].some(one => one.scrollWidth > one.clientWidth)',
  )
