import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDriver } from '../../src/store/index.ts'
import { append } from './append.ts'
import { enter, openBrowser, Stage } from './stage.ts'
import { play } from './story/play.ts'
import { MAIN_SESSION, SHORT } from './story/script.ts'

/** Where links and addresses lead. */
let browser: Browser
let stage: Stage
let context: BrowserContext
let page: Page
let wrong: string[]

const go = (hash: string) => page.goto(new URL(hash, page.url()).href)
const rows = () => page.locator('.feed-row')
const asked = () => Object.fromEntries(new URLSearchParams(page.url().split('?')[1]))

/** Lines of the feed, and what is folded into them. */
async function shown(): Promise<number> {
  const times = await page.locator('.f-times').allInnerTexts()
  return times.reduce((sum, text) => sum + (text === '' ? 1 : Number(text.slice(1))), 0)
}

beforeAll(async () => {
  browser = await openBrowser()
  stage = new Stage()
  await stage.init('claude-code', 'codex-cli')
  await play(stage, SHORT, { past: false })
  context = await browser.newContext({ viewport: { width: 1280, height: 2400 } })
  ;({ page, wrong } = await enter(context, await stage.address()))
})

afterAll(async () => {
  await browser?.close()
  await stage?.close()
})

describe('a subagent', () => {
  const lane = (name: string) => page.getByRole('group', { name: new RegExp(`^${name}, `) })

  it('leads from its lane to all it did, and to nothing else', async () => {
    await go(`#/sessions/claude-code/${MAIN_SESSION}`)
    await lane('explorer 2').waitFor()
    const many = await lane('explorer 2').locator('.mark').count()
    await lane('explorer 2').getByRole('link').click()
    await page.getByRole('link', { name: 'subagent explorer a4c1fexplorer2' }).waitFor()
    expect(asked()).toMatchObject({ subagent: 'a4c1fexplorer2', session: MAIN_SESSION, all: '1' })
    await expect.poll(shown).toBe(many)
  })

  it('is filtered by beside search and words, and the address is enough to see it again', async () => {
    await page.getByRole('searchbox').fill('GIT LOG')
    await expect.poll(() => rows().count()).toBe(2)
    await page.getByRole('link', { name: 'every event: show all again' }).click()
    await expect.poll(() => rows().count()).toBe(1)
    await page.reload()
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('git log -3')])
    await page.locator('.chip', { hasText: 'deny' }).click()
    await page.getByText('No decision matches').waitFor()
  })

  it('leads from an open decision to all it did, and from there back to everybody', async () => {
    await go('#/feed?subagent=explorer')
    await page.getByRole('link', { name: /^subagent explorer: show all/ }).waitFor()
    await expect.poll(() => rows().count()).toBe(6)
    await rows().filter({ hasText: 'src/checkout/tax.ts' }).click()
    await page.locator('.facts').getByRole('link', { name: 'explorer 1' }).click()
    await expect.poll(asked).toMatchObject({ subagent: 'a4c1fexplorer' })
    await page.getByRole('link', { name: /^subagent explorer a4c1fexplorer: / }).click()
    await expect.poll(asked).not.toHaveProperty('subagent')
  })

  it('shows what it does as it does it, and not what others do', async () => {
    await go('#/feed?subagent=a-live-one')
    await page.getByText('No decision matches').waitFor()
    await page.mouse.move(2, 2)
    const call = (nth: number, who: object) =>
      stage.hook('claude-code', {
        ...{ session_id: MAIN_SESSION, tool_use_id: `live-${nth}`, cwd: stage.sandbox.project, ...who },
        ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: `echo live ${nth}` } },
      })
    await call(1, {})
    await call(2, { agent_id: 'a-live-one', agent_type: 'tester' })
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('echo live 2')])
  })
})

describe('a number of the overview', () => {
  it.each(['Calls', 'Denied', 'Asked', 'Bypass usage', 'Errors'])('%s leads to what it counts', async name => {
    append(stage, 2, () => ({ session: 'odd', decision: 'ask', acts: ['run rm -r build'] }))
    append(stage, 1, () => ({ session: 'odd', errors: ['gate project/a: no reply within 2 s'] }))
    const lifted = {
      gate: 'project/a',
      rule: 'b',
      decision: 'deny',
      effect: 'none',
      mode: 'block',
      bypassed: true,
    } as const
    append(stage, 3, nth => ({ session: 'odd', matches: [lifted], acts: [`run echo ${nth}`] }))
    // refused, but no call; and of another project
    append(stage, 2, () => ({ session: 'odd', event: 'agent.stop', decision: 'deny' }))
    append(stage, 2, () => ({ session: 'elsewhere', root: '/elsewhere', decision: 'deny', errors: ['x'] }))
    // the hour before the period, and its first
    const from = Math.floor(Date.now() / 3_600_000 - 24) * 3_600_000
    append(stage, 2, nth => ({ session: 'old', at: nth === 0 ? from - 1 : from, decision: 'deny' }))
    await go(`#/overview?since=24h`)
    await page.reload()
    const tile = page.locator('.tile', { has: page.getByText(name, { exact: true }) }).getByRole('link')
    await tile.waitFor()
    await page.getByText('Still counting').waitFor({ state: 'detached' })
    const counted = Number(await tile.innerText())
    await tile.click()
    await rows().first().waitFor()
    await expect.poll(shown).toBe(counted)
  })
})

describe('a part of a session', () => {
  it('is where its address says, also for who was never there, and the way back is the latest', async () => {
    append(stage, 1300, nth => ({ session: 'a-long-one', acts: [`run echo ${nth}`] }))
    await go('#/sessions/claude-code/a-long-one')
    await page.getByRole('button', { name: 'Earlier' }).click()
    await page.getByText(/^Showing events 1 to/).waitFor()
    const marks = () => page.locator('.mark').count()
    const [address, many] = [page.url(), await marks()]
    expect(Number(asked().before)).toBeGreaterThan(0)
    const other = await context.newPage()
    await other.goto(address)
    await other.getByText(new RegExp(`^Showing events 1 to ${many} of 1,300$`)).waitFor()
    expect(await other.locator('.mark').count()).toBe(many)
    await other.getByRole('button', { name: 'The latest' }).click()
    await other.getByText(/^Showing the last/).waitFor()
    expect(other.url()).not.toContain('before=')
    // nothing is before the first of all; what is no number is as if it were not said
    await other.goto(address.replace(/before=\d+/, 'before=1'))
    await other.getByText('There are no earlier events').waitFor()
    expect(await other.locator('.mark').count()).toBe(0)
    await other.goto(address.replace(/before=\d+&later=\d+/, 'before=x'))
    await other.getByText(/^Showing the last/).waitFor()
    await other.close()
  })
})

describe('an address that lets nobody in', () => {
  it('is said once, with what to do, and the page goes on by itself when somebody is let in', async () => {
    const stranger = await browser.newContext()
    const other = await stranger.newPage()
    await other.goto(page.url().replace(/#.*/, '#token=wrong&to=/feed'))
    await other.getByText('This browser is not logged in').waitFor()
    await other.waitForTimeout(300)
    expect(await other.locator('.notice, .nothing').count()).toBe(1)
    expect(await other.getByRole('alert').innerText()).toMatch(/Run this command.*\n?signalbox ui/)
    await (await enter(stranger, await stage.address())).page.close()
    await other.locator('.feed-row').first().waitFor({ timeout: 60_000 })
    expect(await other.getByRole('alert').count()).toBe(0)
    await stranger.close()
  })
})

it('nothing went wrong meanwhile', () => {
  expect(wrong).toEqual([])
})

it('a locked database: says so, and that nothing is lost; all comes back by itself', async () => {
  // `append` opens the other database in this process, and `libsql` keeps a closed database open until its statements are collected
  const locked = new Stage()
  await locked.init('claude-code')
  await play(locked, SHORT.slice(0, 1), { past: false })
  // with a write-ahead log nobody who only looks is locked out
  await locked.run('daemon', 'stop')
  const driver = openDriver(join(locked.state, 'signalbox.db'))
  const journal = () => driver.prepare('PRAGMA journal_mode = DELETE').get()
  // whoever is about to end still looks
  await vi.waitFor(() => expect(journal()).toEqual({ journal_mode: 'delete' }), { timeout: 60_000, interval: 100 })
  driver.exec('PRAGMA busy_timeout = 3000')
  const own = await browser.newContext()
  const { page: mine } = await enter(own, await locked.address())
  driver.exec('BEGIN EXCLUSIVE')
  await mine.goto(new URL('#/feed', mine.url()).href)
  await mine.getByText('Another program has locked the database').waitFor({ timeout: 60_000 })
  await mine.getByText('Nothing is lost').waitFor()
  await mine.getByText('not live').waitFor()
  await mine.goto(new URL('#/sessions', mine.url()).href)
  await mine.getByRole('heading', { name: 'Nothing to show' }).waitFor({ timeout: 60_000 })
  driver.exec('ROLLBACK')
  driver.close()
  await mine.locator('.table tbody tr').first().waitFor({ timeout: 60_000 })
  await mine.getByText('Another program has locked the database').waitFor({ state: 'detached', timeout: 60_000 })
  await mine.goto(new URL('#/feed', mine.url()).href)
  await mine.locator('.feed-row').first().waitFor()
  await own.close()
  await locked.close()
})
