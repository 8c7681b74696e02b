import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuditRecord, SqliteStore } from '../../src/store/index.ts'
import { past } from '../support/store/past-records.ts'
import { enter, openBrowser, Stage } from './stage.ts'

const RATE = 1000
/** `FLOOD_SECONDS=10 npm run test:ui -- flood` for longer */
const SECONDS = Number(process.env.FLOOD_SECONDS) || 2
const EACH_MS = 10
/** a person notices nothing below a tenth of a second; the machine may be busy with other things */
const LONGEST_TASK_MS = 400
const MOST_HEAP_MB = 120

let browser: Browser
let stage: Stage
let page: Page
let cdp: CDPSession

beforeAll(async () => {
  browser = await openBrowser()
  stage = new Stage()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  ;({ page } = await enter(context, await stage.address()))
  cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
})

afterAll(async () => {
  await browser?.close()
  await stage?.close()
})

/** One transaction a record, as hooks make them, so many a second on the wall's clock. */
async function pour(seconds: number, nextOf: (nth: number) => AuditRecord): Promise<number> {
  const store = new SqliteStore(stage.state)
  const [all, began] = [RATE * seconds, performance.now()]
  const around = { root: stage.sandbox.project, now: Date.now(), expiryHours: 1 }
  try {
    for (let nth = 0; nth < all; await new Promise(done => setTimeout(done, EACH_MS))) {
      const due = Math.min(all, Math.ceil(((performance.now() - began) * RATE) / 1000))
      for (; nth < due; nth++)
        store.transact({ client: 'flood', session: 'f' }, around, () => ({ records: [nextOf(nth)], result: 0 }))
    }
  } finally {
    store.close()
  }
  return (performance.now() - began) / 1000
}

const heapMb = async (): Promise<number> => {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (metrics.find(one => one.name === 'JSHeapUsedSize')?.value ?? 0) / 2 ** 20
}

it(`follows ${RATE} decisions a second: none is missing from the count, and the page answers meanwhile`, async () => {
  const [one] = past({ records: 1, from: Date.now(), days: 0.001 })
  if (!one) throw new Error('no record')
  const call = { event: 'tool.before', name: 'PreToolUse', tool: 'Bash', client: 'claude-code' } as const
  const nextOf = (nth: number): AuditRecord => ({ ...one, ...call, at: Date.now(), acts: [`run echo ${nth}`] })
  await pour(0.001, nextOf)
  await page.goto(new URL('#/feed', page.url()).href)
  await page.locator('.feed-row').first().waitFor()
  await page.evaluate(`
    window.tasks = []
    new PerformanceObserver(list => window.tasks.push(...list.getEntries().map(one => one.duration))).observe({ type: 'longtask' })
  `)
  // who looks holds the feed: what comes is counted on the button
  await page.locator('.feed-box').hover()
  await page.getByText('paused').waitFor()
  const half = pour(SECONDS / 2, nth => nextOf(1 + nth))
  await page.locator('.feed-row').first().click()
  await page.locator('.feed-below .decision').waitFor()
  const took = await half
  const many = (RATE * SECONDS) / 2
  await page.getByRole('button', { name: `${many.toLocaleString('en')} new, paused` }).waitFor()
  await page.locator('.feed-row').first().click()
  await page.mouse.move(2, 2)
  // and who does not sees them go by
  await pour(SECONDS / 2, nth => nextOf(1 + many + nth))
  const shown = () => page.locator('.feed-list > li').first()
  await expect.poll(() => shown().locator('.f-n').innerText(), { timeout: 60_000 }).toBe(String(1 + 2 * many))
  expect(Number(await shown().getAttribute('aria-setsize'))).toBe(Math.min(1 + 2 * many, 5000))
  expect(await page.getByText('more arrived too fast').count()).toBe(0)
  const longest = Math.max(0, ...(await page.evaluate<number[]>('window.tasks')))
  const heap = await heapMb()
  console.log(
    `${2 * many} decisions at ${Math.round(many / took)} a second; longest task ${Math.round(longest)} ms, heap ${Math.round(heap)} MB`,
  )
  expect([longest < LONGEST_TASK_MS, heap < MOST_HEAP_MB]).toEqual([true, true])
})
