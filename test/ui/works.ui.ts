import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askDaemon } from '../../src/daemon/index.ts'
import { enter, openBrowser, Stage } from './stage.ts'
import { payloadsOf } from './story/payload.ts'
import { play } from './story/play.ts'
import { SHORT, type Told } from './story/script.ts'

let browser: Browser
let stage: Stage
let context: BrowserContext
let page: Page
let wrong: string[]
let nth = 0

const TOLD: Told = { client: 'claude-code', session: '77777777-a210-4b5c-8a31-5d7755943b6c', ended: 0, steps: [] }
const step = async (line: string): Promise<void> => {
  nth += 1
  for (const { body } of payloadsOf(TOLD, line, stage.sandbox.project, nth).slice(0, 1))
    await stage.hook(TOLD.client, body)
}
const go = (hash: string) => page.goto(new URL(hash, page.url()).href)
const row = (text: string) => page.locator('.feed-row', { hasText: text }).first()
const away = () => page.mouse.move(2, 2)

beforeAll(async () => {
  browser = await openBrowser()
  stage = new Stage()
  await stage.init('claude-code', 'codex-cli')
  await play(stage, SHORT, { past: false })
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  ;({ page, wrong } = await enter(context, await stage.address()))
})

afterAll(async () => {
  await browser?.close()
  await stage?.close()
})

describe('the feed', () => {
  it('shows a call of the real hook as it is made', async () => {
    await go('#/feed')
    await row('npm test').waitFor()
    await away()
    await step('$ git push origin just-now')
    await row('git push origin just-now').waitFor({ timeout: 5000 })
    expect(await row('git push origin just-now').innerText()).toContain('DENY')
  })

  it('waits while somebody looks, and goes on then', async () => {
    await page.locator('.feed-box').hover()
    await page.getByText('paused').waitFor()
    await step('$ git status --short --waiting')
    await page.getByRole('button', { name: '1 new, paused' }).waitFor()
    expect(await row('--waiting').count()).toBe(0)
    await away()
    await row('--waiting').waitFor()
  })

  it('opens the explanation in place, and its address leads there again', async () => {
    await row('git push origin just-now').click()
    await page.getByText('succeeds opens push-needs-tests').waitFor()
    const address = page.url()
    expect(address).toMatch(/#\/feed\/\d+$/)
    const other = await context.newPage()
    await other.goto(address)
    await other.getByText('succeeds opens push-needs-tests').waitFor()
    await other.close()
  })

  it('filters and searches; both are in the address, and stay when it is loaded again', async () => {
    await go('#/feed')
    await row('npm test').waitFor()
    await page.locator('.chip', { hasText: 'deny' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('HEAD:main')
    await expect.poll(() => page.url()).toContain('decision=deny&text=HEAD%3Amain')
    await expect.poll(() => page.locator('.feed-row').count()).toBe(1)
    await page.reload()
    await expect.poll(() => page.locator('.feed-row').count()).toBe(1)
    await page.getByRole('searchbox').fill('no such thing')
    await page.getByText('No decision is like that').waitFor()
  })

  it('is walked along with j, k and Enter', async () => {
    await go('#/feed')
    await row('npm test').waitFor()
    await page.locator('body').click({ position: { x: 600, y: 20 } })
    for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
    await page.locator('.feed-row[aria-expanded="true"]').waitFor()
    expect(await page.locator('.feed-row').first().getAttribute('aria-expanded')).toBe('true')
  })
})

describe('a long feed', () => {
  it('draws what fits on the screen, and reads on as one scrolls', async () => {
    for (let n = 0; n < 160; n += 8)
      await Promise.all(Array.from({ length: 8 }, (_, at) => step(`$ echo line ${n + at}`)))
    const { stdout } = await stage.run('log', '--json', '--since', '1h', '--grep', 'echo line')
    const all = String(stdout.trim().split('\n').length)
    expect(Number(all)).toBeGreaterThan(150)
    await go('#/feed?text=echo+line')
    await row('echo line').waitFor()
    await page.locator('.feed-box').hover()
    const last = () => page.locator('.feed-list > li').last().getAttribute('aria-posinset')
    let drawn = 0
    for (let turn = 0; turn < 60 && (await last()) !== all; turn++) {
      drawn = Math.max(drawn, await page.locator('.feed-row').count())
      await page.mouse.wheel(0, 700)
      await page.waitForTimeout(50)
    }
    expect([await last(), drawn < 70]).toEqual([all, true])
    await away()
  })
})

describe('keys', () => {
  it('lead to every page, list themselves, and turn the theme', async () => {
    await page.locator('h1').click()
    for (const [key, name] of [
      ['s', 'Sessions'],
      ['g', 'Gates'],
      ['p', 'Playground'],
      ['y', 'Policy'],
      ['f', 'Feed'],
      ['o', 'Overview'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('t')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.keyboard.press('t')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
  })

  it('walk along a timeline', async () => {
    await go(`#/sessions/${SHORT[0]?.client}/${SHORT[0]?.session}`)
    await page.locator('.mark').first().waitFor()
    await page.locator('.mark[tabindex="0"]').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.locator('.mark[aria-pressed="true"]').waitFor()
    expect(await page.locator('.mark:focus').getAttribute('aria-label')).toMatch(/^\d\d:\d\d:\d\d \S+ /)
    await page.getByRole('heading', { name: /^Decision \d+$/ }).waitFor()
    expect(page.url()).toMatch(/[?&]n=\d+$/)
  })
})

describe('the playground', () => {
  it('judges what is typed, by the policy and by a draft, and keeps nothing', async () => {
    await go('#/playground')
    const before = (await stage.run('log', '--json')).stdout
    await page.getByLabel('What happens').fill('git push origin main')
    await page.keyboard.press('Control+Enter')
    await page.locator('.tree').waitFor()
    await page.getByRole('button', { name: 'try a draft' }).click()
    const draft = page.getByLabel('Draft of the project')
    await draft.fill((await draft.inputValue()).replace('then: deny', 'then: ask'))
    await page.getByRole('button', { name: 'Judge' }).click()
    await page.getByRole('heading', { name: 'Draft', exact: true }).waitFor()
    await page.getByText('ASK · not the same').waitFor()
    await draft.fill('gates: { a: { rools: [] } }')
    await page.getByRole('button', { name: 'Judge' }).click()
    await page.getByText('unknown key').waitFor()
    expect((await stage.run('log', '--json')).stdout).toBe(before)
  })

  it('begins with a recorded one', async () => {
    await go('#/feed?text=HEAD:main')
    await row('HEAD:main').click()
    await page.getByRole('link', { name: 'try it with changes' }).click()
    await expect.poll(() => page.getByLabel('What happens').inputValue()).toBe('git push origin HEAD:main')
  })
})

describe('when something is missing', () => {
  it('the daemon: says so, says the command, and goes on by itself when somebody is let in again', async () => {
    await go('#/feed')
    await page.locator('.feed-row').first().waitFor()
    await away()
    const { pid } = (await askDaemon(stage.state, 'status')) ?? {}
    await stage.run('daemon', 'stop')
    expect(pid).toBeGreaterThan(0)
    await page.getByText('The daemon does not answer').waitFor({ timeout: 15_000 })
    await page.getByText('signalbox ui', { exact: true }).first().waitFor()
    await step('$ git push origin while-it-was-gone')
    const again = await enter(context, await stage.address())
    await again.page.close()
    await row('while-it-was-gone').waitFor({ timeout: 15_000 })
    await page.getByText('The daemon does not answer').waitFor({ state: 'detached' })
    wrong.length = 0
  })

  it('the key: another browser is told how to get one', async () => {
    const stranger = await browser.newContext()
    const other = await stranger.newPage()
    await other.goto(page.url().replace(/#.*/, '#/feed'))
    await other.getByText('This browser has no key').first().waitFor()
    await stranger.close()
  })

  it('everything: names the cause, and what to do', async () => {
    const empty = new Stage('gates: {}\n')
    const own = await browser.newContext()
    try {
      const entered = await enter(own, await empty.address())
      await entered.page.getByText('no agent is wired').waitFor()
      await entered.page.getByText('signalbox init').first().waitFor()
      for (const hash of ['#/feed', '#/sessions', '#/gates', '#/nowhere']) {
        await entered.page.goto(new URL(hash, entered.page.url()).href)
        await entered.page.locator('.nothing, .table').first().waitFor()
      }
      expect(entered.wrong).toEqual([])
    } finally {
      await own.close()
      await empty.close()
    }
  })
})

it('nothing went wrong meanwhile', () => {
  expect(wrong).toEqual([])
})
