import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryDaemon } from '../../src/hook/daemon/index.ts'
import { append } from './append.ts'
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
    await row('git push origin just-now').waitFor()
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
    await page.getByText('No decision matches').waitFor()
  })

  it('Esc closes a decision, and clears a search; a search closes what was open', async () => {
    await go('#/feed')
    await row('npm test').click()
    await page.locator('.feed-row[aria-expanded="true"]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.feed-row[aria-expanded="true"]').waitFor({ state: 'detached' })
    await row('npm test').click()
    await page.locator('.decision').waitFor()
    await page.getByRole('searchbox').fill('HEAD:main')
    await expect.poll(() => page.url()).toMatch(/#\/feed\?text=HEAD/)
    await expect.poll(() => page.locator('.decision').count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
    await expect.poll(() => page.url()).toMatch(/#\/feed$/)
  })

  it('shows a pipe as a pipe and what a call closes, and finds it by what was typed', async () => {
    await step('$ npm test 2>&1 | tail -5')
    await go(`#/feed?text=${encodeURIComponent('npm test 2>&1 | tail -5')}`)
    await row('npm test 2>&1 | tail -5').waitFor()
    for (const line of ['$ npm test', 'w src/cart.ts'])
      for (const { body } of payloadsOf(TOLD, line, stage.sandbox.project, 900)) await stage.hook(TOLD.client, body)
    await go('#/feed?gate=push-needs-tests')
    await row('closes push-needs-tests').waitFor()
    await go('#/gates/project%2Fpush-needs-tests')
    await page.locator('.history-row', { hasText: 'closes' }).first().waitFor()
  })

  it('says how a call ended, as soon as it did, and in the timeline too', async () => {
    await go('#/feed')
    await row('npm test').waitFor()
    await away()
    const [before, after] = payloadsOf(TOLD, '! npm test -- red', stage.sandbox.project, 910)
    await stage.hook(TOLD.client, before?.body)
    await row('npm test -- red').waitFor()
    expect(await row('npm test -- red').innerText()).not.toMatch(/failed|ok|unknown/)
    await stage.hook(TOLD.client, after?.body)
    await row('npm test -- red').getByText('failed').waitFor()
    await page.reload()
    await row('npm test -- red').getByText('failed').waitFor()
    await go(`#/sessions/${TOLD.client}/${TOLD.session}`)
    await page.locator('.mark[data-end="failed"][data-size="call"][aria-label*="red and FAILED"]').waitFor()
    // this client does not say how a call ended
    await go(`#/sessions/${SHORT[0]?.client}/${SHORT[0]?.session}`)
    await page.locator('.mark[data-end="unknown"][aria-label*="npm test"]').first().waitFor()
  })

  it('the earlier one of a session is opened among the same filters', async () => {
    await go('#/feed?decision=deny')
    await row('HEAD:main').click()
    await page.getByRole('link', { name: 'previous in this session' }).click()
    await expect.poll(() => page.url()).toMatch(/#\/feed\/\d+\?decision=deny$/)
  })

  it('is found by an address without the sign too', async () => {
    await page.goto(new URL('/feed?decision=deny', page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'Feed' }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/#/feed?decision=deny')
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
    append(stage, 160, nth => ({ session: 'many-lines', acts: [`run echo line ${nth}`] }))
    const all = '160'
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

/** The second key counts within 1.2 s of the first, which a busy machine may miss: then both are pressed again. */
async function pressUntil(keys: readonly string[], wanted: ReturnType<Page['getByRole']>): Promise<void> {
  await expect
    .poll(
      async () => {
        for (const key of keys) await page.keyboard.press(key)
        return wanted.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        )
      },
      { timeout: 120_000 },
    )
    .toBe(true)
}

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
      await pressUntil(['g', key], page.getByRole('heading', { level: 1, name }))
    }
    await page.keyboard.press('?')
    const listed = await page.getByRole('dialog').locator('kbd').allInnerTexts()
    expect(listed).toEqual(expect.arrayContaining(['j', '←', '→', '↑', '↓', 'Home', 'End', '/']))
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

describe('a long session', () => {
  it('says which part of it is drawn, and is paged through by cursor to its beginning', async () => {
    append(stage, 2400, nth => ({ session: 'a-long-one', acts: [`run echo ${nth}`] }))
    await go('#/sessions/claude-code/a-long-one')
    const first = () => page.locator('.mark').first().getAttribute('aria-label')
    const status = page.locator('.part [role="status"]')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    // 1,000 at once, or as many as were found in a second
    await page.getByText(/^Showing the last [\d,]+ of 2,400 events$/).waitFor()
    const latest = await status.innerText()
    const parts = [numbersIn(latest)[0] ?? 0]
    let top = 2400 - (parts[0] ?? 0)
    for (; top > 0; top -= parts.at(-1) ?? 0) {
      await press('Earlier')
      await page.getByText(new RegExp(`^Showing events [\\d,]+ to ${top.toLocaleString('en')} of 2,400$`)).waitFor()
      const [from = 0, to = 0] = numbersIn(await status.innerText())
      parts.push(to - from + 1)
      await expect.poll(first).toMatch(new RegExp(` echo ${from - 1}$`))
    }
    expect([top, Math.max(...parts) <= 1000]).toEqual([0, true])
    expect(await page.getByRole('button', { name: 'Earlier' }).count()).toBe(0)
    await press('Later')
    await page.getByRole('button', { name: 'Earlier' }).waitFor()
    await press('The latest')
    await page.getByText(/^Showing the last/).waitFor()
  })
})

const numbersIn = (text: string): readonly number[] =>
  (text.match(/[\d,]+/g) ?? []).map(one => Number(one.replaceAll(',', '')))

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
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByRole('heading', { name: 'Draft', exact: true }).waitFor()
    await page.getByText('ASK · different').waitFor()
    await draft.fill('gates: { a: { rools: [] } }')
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByText('unknown key').waitFor()
    await page.getByText('broken: the saved version would stay enforced (DENY)').waitFor()
    expect(await page.locator('.problem pre').innerText()).toContain('gates: { a: { rools: [] } }')
    expect((await stage.run('log', '--json')).stdout).toBe(before)
  })

  it('keeps a draft over a reload and another page, until it is dropped; the same word is not the same answer', async () => {
    await go('#/playground?event=git+push+origin+main')
    await page.reload()
    const draft = page.getByLabel('Draft of the project')
    await draft.waitFor()
    const saved = await stage.run('policy', 'show')
    expect(saved.exitCode).toBe(0)
    await page.getByRole('button', { name: 'discard the draft' }).click()
    await page.getByRole('button', { name: 'try a draft' }).click()
    await draft.fill((await draft.inputValue()).replace('mode: observe', 'mode: block'))
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByText('the same decision, by other gates').waitFor()
    await page.getByText('mode observe → block').waitFor()
    const text = await draft.inputValue()
    await go('#/gates')
    await page.getByRole('heading', { level: 1, name: 'Gates' }).waitFor()
    await page.goBack()
    expect(await draft.inputValue()).toBe(text)
    await page.reload()
    await draft.waitFor()
    expect(await draft.inputValue()).toBe(text)
    await page.getByRole('button', { name: 'discard the draft' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'try a draft' }).waitFor()
    expect(await draft.count()).toBe(0)
  })

  it('judges what another address says, also when one goes back to it', async () => {
    const happens = page.getByLabel('What happens')
    await go('#/playground?event=git+push+origin+main')
    await page.locator('.tree', { hasText: 'push-needs-tests' }).waitFor()
    await page.getByText('DENY', { exact: true }).first().waitFor()
    await go('#/playground?event=echo+hello')
    await expect.poll(() => happens.inputValue()).toBe('echo hello')
    await page
      .getByRole('heading', { name: /^Answer/ })
      .locator('..')
      .getByText('pass')
      .waitFor()
    await page.goBack()
    await expect.poll(() => happens.inputValue()).toBe('git push origin main')
    await page
      .getByRole('heading', { name: /^Answer/ })
      .locator('..')
      .getByText('DENY')
      .waitFor()
  })

  it('begins with a recorded one', async () => {
    await go('#/feed?text=HEAD:main')
    await row('HEAD:main').click()
    await page.getByRole('link', { name: 'try changes in the playground' }).click()
    await expect.poll(() => page.getByLabel('What happens').inputValue()).toBe('git push origin HEAD:main')
  })
})

describe('when something is missing', () => {
  it('a page: it is named as any other is', async () => {
    await go('#/nonsense')
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  })

  it('a project: it is not taken for one without a policy', async () => {
    await go('#/policy?project=%2Fnope')
    await page.getByText('There is no project /nope').waitFor()
    expect(await page.getByText('No policy here yet').count()).toBe(0)
    await page.getByRole('link', { name: 'show the default project' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  it('the daemon: says so, says the command, and goes on by itself when somebody is let in again', async () => {
    await go('#/feed')
    await page.locator('.feed-row').first().waitFor()
    await away()
    const { pid } = (await queryDaemon(stage.state, 'status')) ?? {}
    await stage.run('daemon', 'stop')
    expect(pid).toBeGreaterThan(0)
    await page.getByText('The daemon does not respond').waitFor({ timeout: 60_000 })
    await page.locator('.notice .command code', { hasText: /signalbox ui$/ }).waitFor()
    await step('$ git push origin while-it-was-gone')
    const again = await enter(context, await stage.address())
    await again.page.close()
    await row('while-it-was-gone').waitFor({ timeout: 60_000 })
    await page.getByText('The daemon does not respond').waitFor({ state: 'detached' })
    wrong.length = 0
  })

  it('the key: another browser is told how to get one', async () => {
    const stranger = await browser.newContext()
    const other = await stranger.newPage()
    await other.goto(page.url().replace(/#.*/, '#/feed'))
    await other.getByText('This browser is not logged in').first().waitFor()
    await stranger.close()
  })

  it('everything: names the cause, and what to do', async () => {
    const empty = new Stage('gates: {}\n')
    const own = await browser.newContext()
    try {
      const entered = await enter(own, await empty.address())
      await entered.page.getByText('no agent has the hook registered').waitFor()
      await entered.page
        .getByText(/signalbox(\.cjs)? init$/)
        .first()
        .waitFor()
      for (const hash of ['#/feed', '#/sessions', '#/gates', '#/nowhere']) {
        await entered.page.goto(new URL(hash, entered.page.url()).href)
        await entered.page.locator('.nothing, .table').first().waitFor()
      }
      // every command that is shown is one that can be typed
      for (const hash of ['#/overview', '#/gates']) {
        await entered.page.goto(new URL(hash, entered.page.url()).href)
        await entered.page.locator('.command').first().waitFor()
        for (const line of await entered.page.locator('.command code').allInnerTexts())
          expect(line).not.toMatch(/^signalbox /)
      }
      expect(entered.wrong).toEqual([])
    } finally {
      await own.close()
      await empty.close()
    }
  })
})

it('the first call shows at once; a trail that is gone is said on every page', async () => {
  const first = new Stage('gates: {}\n')
  const own = await browser.newContext()
  try {
    await first.init('claude-code')
    const { page: fresh } = await enter(own, await first.address())
    await fresh.getByText('Registered, no calls yet').waitFor()
    const body = { session_id: 'first', cwd: first.sandbox.project, hook_event_name: 'PreToolUse', tool_use_id: 't' }
    await first.hook('claude-code', { ...body, tool_name: 'Bash', tool_input: { command: 'ls' } })
    await fresh.locator('.tile', { hasText: 'Calls' }).getByText('in 1 session').waitFor()
    for (const part of ['', '-wal', '-shm']) rmSync(join(first.state, `signalbox.db${part}`), { force: true })
    await fresh.reload()
    await fresh.getByRole('heading', { name: 'The recorded data is gone' }).waitFor()
    for (const hash of ['#/overview', '#/policy', '#/feed']) {
      await fresh.goto(new URL(hash, fresh.url()).href)
      await fresh.locator('.notice', { hasText: 'The audit log is broken' }).waitFor()
    }
    await fresh.getByText('not live').waitFor()
  } finally {
    await own.close()
    await first.close()
  }
})

it.each([
  ['deleted', (file: string) => rmSync(file)],
  ['emptied', (file: string) => truncateSync(file)],
] as const)(
  'a database that is %s while a page is open: the page says so at once, and is live again with the next call',
  async (_, harm) => {
    const open = new Stage()
    const own = await browser.newContext()
    const call = (command: string) => {
      const body = {
        session_id: 'open',
        cwd: open.sandbox.project,
        hook_event_name: 'PreToolUse',
        tool_use_id: command,
      }
      return open.hook('claude-code', { ...body, tool_name: 'Bash', tool_input: { command } })
    }
    try {
      await open.init('claude-code')
      await call('git push origin before')
      const { page: feed } = await enter(own, await open.address())
      await feed.goto(new URL('#/feed', feed.url()).href)
      await feed.locator('.feed-row', { hasText: 'origin before' }).waitFor()
      await feed.getByText('live', { exact: true }).waitFor()
      const { page: other } = await enter(own, await open.address())
      await other.goto(new URL('#/policy', other.url()).href)
      await other.locator('.layers').waitFor()
      const file = join(open.state, 'signalbox.db')
      for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true })
      harm(file)
      await feed.getByText('not live').waitFor()
      await feed.locator('.notice', { hasText: 'The audit log is broken' }).waitFor()
      await other.goto(new URL('#/sessions', other.url()).href)
      await other.locator('.notice', { hasText: 'The audit log is broken' }).waitFor()
      await call('git push origin after')
      await feed.locator('.feed-row', { hasText: 'origin after' }).waitFor()
      await feed.getByText('live', { exact: true }).waitFor()
      // by the stream and by a request, each row came twice
      expect(await feed.locator('.feed-row', { hasText: 'origin after' }).count()).toBe(1)
      expect(await feed.locator('.feed-row', { hasText: '×' }).count()).toBe(0)
    } finally {
      await own.close()
      await open.close()
    }
  },
)

it('a draft can be started only where it is kept, once it is known whether there is one', async () => {
  const own = await context.newPage()
  let release = (): void => {}
  const waits = new Promise<void>(done => {
    release = done
  })
  await own.route('**/api/situation*', async route => {
    await waits
    await route.continue()
  })
  const policy = own.waitForResponse(/api\/policy/)
  await own.goto(new URL('#/playground', page.url()).href)
  await (await policy).finished()
  await own.getByRole('button', { name: 'Evaluate' }).waitFor()
  const start = own.getByRole('button', { name: 'try a draft' })
  expect(await start.isEnabled()).toBe(false)
  release()
  await start.click()
  await own.getByLabel('Draft of the project').fill('gates: {}')
  await own.reload()
  await expect.poll(() => own.getByLabel('Draft of the project').inputValue()).toBe('gates: {}')
  await own.getByRole('button', { name: 'discard the draft' }).click()
  await own.close()
})

it('says what the gates do beside whether they are called, and that silence is no reason to remove a rule', async () => {
  await go('#/overview')
  await page.getByRole('link', { name: '4 of 6 gates block, 1 warns, 1 observes' }).waitFor()
  await page.getByRole('heading', { name: 'Rules without effect in this period' }).waitFor()
  await page.getByText('A rule without matches can still be useful').waitFor()
  const numbers = async (name: string): Promise<readonly number[]> => {
    const cells = page.locator('.table tr', { hasText: name }).first().locator('td.number')
    return (await cells.allInnerTexts()).map(Number)
  }
  await page.getByRole('columnheader', { name: 'other' }).waitFor()
  const [fired = 0, fixed = 0, bypassed = 0, stuck = 0, left = 0] = await numbers('push-needs-tests')
  expect(fired).toBeGreaterThan(0)
  expect(fixed + bypassed + stuck + left).toBe(fired)
})

it('a page stays with its project while an agent works in another, and judges by it', async () => {
  const other = join(stage.sandbox.folder, 'other')
  mkdirSync(other)
  const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git status' } }
  await go('#/playground')
  await page.reload()
  await page.getByLabel('What happens').fill('git push origin main')
  await stage.hook('claude-code', { session_id: 'elsewhere', tool_use_id: 't1', cwd: other, ...call })
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page.locator('.tree').getByText('DENY').first().waitFor()
  await page.reload()
  const choice = page.getByRole('combobox', { name: 'Project' })
  await choice.waitFor()
  expect(await choice.inputValue()).toBe(stage.sandbox.project)
  expect(new URLSearchParams(page.url().split('?')[1]).get('project')).toBe(stage.sandbox.project)
  await go(`#/gates?project=${encodeURIComponent(other)}`)
  await page.getByText('No policy here yet').waitFor()
  await go('#/feed')
  await expect.poll(() => choice.inputValue()).toBe('')
})

it('nothing went wrong meanwhile', () => {
  expect(wrong).toEqual([])
})

it('a damaged database: every page says so and what to do, none claims to be live, and the policy is told', async () => {
  const file = join(stage.state, 'signalbox.db')
  for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true })
  writeFileSync(file, 'this is no database, but it is long enough to be taken for one'.repeat(100))
  await go('#/feed')
  await page.reload()
  // the sidebar says it too
  await page.getByText('The audit log cannot be read.', { exact: true }).waitFor()
  await page.getByText('not live').waitFor()
  await page.getByText('signalbox doctor').first().waitFor()
  await go('#/gates')
  await page.getByRole('link', { name: 'push-needs-tests' }).waitFor()
  await go('#/gates/project%2Fpush-needs-tests')
  await page.locator('.diagram .node').first().waitFor()
  for (const hash of ['#/sessions', '#/overview']) {
    await go(hash)
    await page.getByRole('heading', { name: 'Nothing to show' }).waitFor()
  }
  // nobody knows whether they called
  expect(await page.getByText('no calls yet').count()).toBe(0)
})
