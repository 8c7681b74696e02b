import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTooWide, serious } from './axe.ts'
import { crowded } from './layout.ts'
import { BETWEEN, enter, openBrowser, Stage, THEMES, WIDTHS } from './stage.ts'
import { play } from './story/play.ts'
import { MAIN_SESSION, SHORT } from './story/script.ts'
import { saveWorkflows } from './story/workflow.ts'

/** The story's, and a gate with names as long as people give. */
const POLICY = readFileSync(resolve(import.meta.dirname, 'story/signalbox.yaml'), 'utf8').replace(
  '\nallow:',
  `
  schema-changes-need-two-reviewers:
    about: Whoever changes the schema of the shop asks two people of the team that looks after the database, and says in the commit who they were.
    mode: observe
    rules:
      - id: pushed-without-two-reviews
        when: { event: tool.before, command: git push }
        then: deny
        message: Two people have to look at it.

allow:`,
)

const DIST = resolve(import.meta.dirname, '../../dist/ui')

let browser: Browser
let stage: Stage

beforeAll(async () => {
  browser = await openBrowser()
  stage = new Stage(POLICY)
  await stage.init('claude-code', 'codex-cli')
  await play(stage, SHORT, { past: false })
  saveWorkflows(stage.state, stage.sandbox.project)
})

afterAll(async () => {
  await browser?.close()
  await stage?.close()
})

const first = (page: Page, selector: string) => page.locator(selector).first()

/** Where each page is, and what is there when it is drawn. */
const PAGES: Readonly<Record<string, readonly [address: string, ready: string]>> = {
  overview: ['#/overview', '.uplot canvas'],
  feed: ['#/feed', '.feed-row'],
  sessions: ['#/sessions', '.table tbody tr'],
  session: [`#/sessions/claude-code/${MAIN_SESSION}`, '.mark'],
  gates: ['#/gates', '.table tbody tr'],
  gate: ['#/gates/project%2Fpush-needs-tests', '.diagram .node'],
  workflows: ['#/workflows', '.workflow tbody tr'],
  playground: ['#/playground?event=git+push+origin+main', '.tree'],
  policy: ['#/policy', '.layers'],
}

/** The same, with something open in them: what is pressed, and what comes of it. */
const PRESSED: Readonly<Record<string, readonly [address: string, ready: string, press?: string, opens?: string]>> = {
  'feed with a decision': ['#/feed?decision=deny', '.feed-row', '.feed-row', '.tree'],
  'session with a decision': [`${PAGES.session?.[0]}`, '.mark', '.mark[data-tone="deny"]', '.tree'],
  'playground with a draft': [`${PAGES.playground?.[0]}`, '.tree', 'text="try a draft"', 'textarea.code-field'],
  'feed with filters': [`#/feed?gate=push-needs-tests&rule=untested&session=${MAIN_SESSION}&since=7d`, '.chip.on'],
}

/** Layouts as they were once, and what the check says of them. */
const FAULTS: readonly (readonly [name: string, hash: string, style: string, says: string])[] = [
  [
    'a column that wraps letter by letter',
    '#/gates',
    '.g-about { display: table-cell; width: 36px; padding: 0 12px; white-space: normal; word-break: break-all }',
    'letter by letter',
  ],
  [
    'rows that lie on each other',
    '#/feed',
    '.feed-row { height: 48px; grid-template-rows: 20px 20px } .f-what { grid-area: 2 / 1 / 3 / -1 }',
    'on each other',
  ],
  [
    'heads that lie on each other',
    '#/sessions',
    'th { overflow: visible; position: relative } th + th { left: -60px }',
    'on each other',
  ],
  ['a head that is cut', '#/sessions', '.s-last { width: 20px }', 'head or button cut'],
  ['a text that has no room', '#/feed', '.f-what { width: 12px }', 'no room'],
]

const STATES: readonly (readonly [name: string, (typeof PRESSED)[string]])[] = Object.entries({ ...PAGES, ...PRESSED })

/** A theme changes colours, and nothing else: the same page is looked at in each, by every rule in the first. */
const RULES = { light: undefined, dark: ['color-contrast'] } as const

describe('every page, in both themes', () => {
  it.each(WIDTHS)('at %i pixels: nothing serious for axe, nothing sticks out', async width => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
    const { page, wrong } = await enter(context, await stage.address())
    const found: Record<string, unknown> = {}
    for (const [name, [address, ready]] of Object.entries(PAGES)) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(new URL(address, page.url()).href)
      await first(page, ready).waitFor()
      if (name === 'feed') await first(page, '.feed-row').click()
      if (name === 'session') await page.locator('.mark[data-tone="deny"]').last().click()
      if (name === 'feed' || name === 'session') await first(page, '.tree, .decision').waitFor()
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme })
        // drawings are made anew
        await first(page, ready).waitFor()
        const isDark = await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')
        const seen = [...(await serious(page, RULES[theme])), ...((await isTooWide(page)) ? ['too wide'] : [])]
        found[`${name} ${theme}`] = [isDark, seen]
      }
    }
    await context.close()
    const sound = Object.keys(PAGES).flatMap(name => THEMES.map(theme => [`${name} ${theme}`, [theme === 'dark', []]]))
    expect([found, wrong]).toEqual([Object.fromEntries(sound), []])
  })
})

/** A row that opens moves those below it in a later frame: what is still wrong after some frames is wrong. */
async function settled(page: Page, layout: () => Promise<readonly string[]>): Promise<readonly string[]> {
  for (let tries = 0; tries < 20; tries++) {
    if ((await layout()).length === 0) return []
    await page.evaluate('new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))')
  }
  return layout()
}

describe('every page, at widths between', () => {
  it.each([...WIDTHS, ...BETWEEN])(
    'at %i pixels: nothing is cut, laid over something else or without room',
    async width => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
      const { page, wrong } = await enter(context, await stage.address())
      const found: Record<string, unknown> = {}
      for (const [name, [address, ready, press, opens = '']] of STATES) {
        await page.goto(new URL(address, page.url()).href)
        await first(page, ready).waitFor()
        if (press !== undefined) await page.locator(press).last().click()
        if (press !== undefined) await first(page, opens).waitFor()
        for (const theme of THEMES) {
          await page.emulateMedia({ colorScheme: theme })
          const layout = async (): Promise<readonly string[]> => [
            ...((await isTooWide(page)) ? ['too wide'] : []),
            ...(await page.evaluate<readonly string[]>(CROWDED)),
            ...(await crowded(page)),
          ]
          const seen = [
            ...(await settled(page, layout)),
            ...(width === 820 && theme === 'light' ? await serious(page) : []),
          ]
          if (seen.length > 0) found[`${name} ${theme}`] = seen
        }
      }
      await context.close()
      expect([found, wrong]).toEqual([{}, []])
    },
  )

  it.each(FAULTS)('the check itself finds %s', async (_, hash, style, says) => {
    const context = await browser.newContext({ viewport: { width: 1024, height: 800 }, reducedMotion: 'reduce' })
    const { page } = await enter(context, await stage.address())
    await page.goto(new URL(hash, page.url()).href)
    await first(page, 'tbody tr, .feed-row').waitFor()
    expect(await crowded(page)).toEqual([])
    // the page lets no style in but its own
    await page.evaluate(`{
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(${JSON.stringify(style)})
      document.adoptedStyleSheets = [sheet]
    }`)
    expect((await crowded(page)).filter(one => one.startsWith(says))).not.toEqual([])
    await context.close()
  })

  it('a feed that is made narrower and wider again: rows are as tall as the places that they have', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    const { page } = await enter(context, await stage.address())
    await page.goto(new URL('#/feed', page.url()).href)
    await first(page, '.feed-row').waitFor()
    for (const width of [700, 760, 761, 900, 940, 960, 1100, 360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => page.evaluate(CROWDED)).toEqual([])
    }
    await context.close()
  })

  it('the state of a gate is written in its bar where there is room, and nowhere else', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    const { page } = await enter(context, await stage.address())
    await page.goto(new URL(PAGES.session?.[0] ?? '', page.url()).href)
    await first(page, '.bar').waitFor()
    for (let width = 1280; width >= 360; width -= 20) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => page.evaluate(CUT_BARS)).toEqual([])
    }
    await context.close()
  })

  it('a chart of one hour: its bar is whole, and what it says covers none of it', async () => {
    const context = await browser.newContext({ viewport: { width: 1024, height: 1200 }, reducedMotion: 'reduce' })
    const { page } = await enter(context, await stage.address())
    await first(page, '.uplot canvas').waitFor()
    const over = page.locator('.u-over')
    const { width = 0 } = (await over.boundingBox()) ?? {}
    // its place is the end of the chart, with room at both sides
    await over.hover({ position: { x: Math.round((width * 11) / 12), y: 60 } })
    await page
      .getByText(/calls, \d+ denied, 95 % within/)
      .first()
      .waitFor()
    const said = await page.locator('.bars-said').boundingBox()
    const plot = await page.locator('.uplot').boundingBox()
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(plot?.y ?? 0)
    const { bar, edge, isLast } = await page.evaluate<{ bar: number; edge: number; isLast: boolean }>(BAR)
    expect([bar > 20, edge > 4, isLast]).toEqual([true, true, true])
    await context.close()
  })
})

describe('what is drawn', () => {
  const enterAt = async (width: number) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
    const { page } = await enter(context, await stage.address())
    return { context, page }
  }

  it.each([360, 820, 1024])('names and the reason why an agent is unproven can be read at %i pixels', async width => {
    const { context, page } = await enterAt(width)
    for (const name of ['overview', 'gates'] as const) {
      await page.goto(new URL(PAGES[name]?.[0] ?? '', page.url()).href)
      await first(page, '.table .wraps').waitFor()
      expect([name, await page.evaluate(CUT)]).toEqual([name, []])
    }
    await page.goto(new URL(PAGES.workflows?.[0] ?? '', page.url()).href)
    await first(page, '.workflow tbody tr').waitFor()
    expect(await page.evaluate(BROKEN_NAMES)).toEqual([])
    await context.close()
  })

  it('no arrow of a gate goes through its words, and all of it is seen at every width', async () => {
    for (const width of WIDTHS) {
      const { context, page } = await enterAt(width)
      await page.goto(new URL(PAGES.gate?.[0] ?? '', page.url()).href)
      await first(page, '.diagram .node').waitFor()
      expect(await page.locator('.diagram .arrow').count()).toBeGreaterThan(0)
      await expect.poll(() => page.evaluate(STRUCK)).toEqual([])
      await expect.poll(() => page.evaluate(HIDDEN)).toEqual([])
      await context.close()
    }
  })
})

/** Texts that are longer than what shows of them. */
const CUT = `[...document.querySelectorAll('.wraps, .agent-why, th:not(.wide-only)')]
  .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth).map(one => one.textContent)`

/** Names of steps that stand on more than one line. */
const BROKEN_NAMES = `[...document.querySelectorAll('.workflow tbody td:first-child')].flatMap(cell => {
  const range = document.createRange()
  range.selectNodeContents(cell.firstChild)
  return new Set([...range.getClientRects()].map(one => one.top)).size > 1 ? [cell.textContent] : []
})`

/** Heads of columns that are cut, columns that have no room, rows that lie on each other or are taller than a few lines. */
const CROWDED = `(() => {
  const shown = selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility())
  const wide = (one, least) => one.getBoundingClientRect().width >= least
  const rows = shown('.feed-list > li').map(one => one.getBoundingClientRect()).sort((a, b) => a.top - b.top)
  const heads = shown('th').filter(one => !one.closest('.only-read'))
  return [
    ...heads.filter(one => one.scrollWidth > one.clientWidth + 1 || !wide(one, 30)).map(one => 'head ' + one.textContent),
    ...shown('.table tbody tr').filter(one => one.getBoundingClientRect().height > 90).map(one => 'tall ' + one.textContent),
    ...shown('.f-what').filter(one => !wide(one, 150)).map(one => 'narrow ' + one.textContent),
    ...rows.filter((one, nth) => nth > 0 && one.top < rows[nth - 1].bottom - 1).map(() => 'rows lie on each other'),
    ...rows.filter((one, nth) => nth > 0 && one.top > rows[nth - 1].bottom + 1).map(() => 'rows lie apart'),
  ].slice(0, 5)
})()`

/** How wide the first bar is, and how far from the edge of the chart: by the pixels of its colour. */
const BAR = `(() => {
  const canvas = document.querySelector('.uplot canvas')
  const box = document.querySelector('.u-over').getBoundingClientRect()
  const own = canvas.getBoundingClientRect()
  const scale = canvas.width / own.width
  const y = Math.round((box.bottom - own.top - 6) * scale)
  const pixels = canvas.getContext('2d').getImageData(0, y, canvas.width, 1).data
  const colour = getComputedStyle(document.querySelector('.legend i[data-tone="deny"]')).backgroundColor.match(/\\d+/g).map(Number)
  const isBar = x => [0, 1, 2].every(nth => Math.abs(pixels[x * 4 + nth] - colour[nth]) < 12)
  const found = Array.from({ length: canvas.width }, (_, x) => x).filter(isBar)
  const left = (found[0] ?? 0) / scale - (box.left - own.left)
  const right = box.right - own.left - (found.at(-1) ?? 0) / scale
  return { bar: found.length / scale, edge: Math.min(left, right), isLast: right < left }
})()`

const CUT_BARS = `[...document.querySelectorAll('.bar')].filter(one => one.innerText !== '' && one.scrollWidth > one.clientWidth + 1).map(one => one.title)`

const WORDS = `[...document.querySelectorAll('.diagram :is(.move-text, .node)')]`

/** Words with a part of an arrow among them. */
const STRUCK = `${WORDS}.filter(one => {
  const { left, right, top, bottom } = one.getBoundingClientRect()
  return [...document.querySelectorAll('.diagram .arrow')]
    .map(arrow => arrow.getBoundingClientRect())
    .some(arrow => arrow.right > left && arrow.left < right && arrow.bottom > top && arrow.top < bottom)
}).map(one => one.textContent)`

/** Words that one would have to scroll to. */
const HIDDEN = `${WORDS}.filter(one => {
  const box = one.closest('.diagram').getBoundingClientRect()
  const { left, right } = one.getBoundingClientRect()
  return left < box.left || right > box.right
}).map(one => one.textContent)`

describe('what is sent', () => {
  const sizeOf = (file: string): number => gzipSync(readFileSync(join(DIST, file))).length

  it('the first page takes less than 150 KB of script, and no Mermaid', async () => {
    const context = await browser.newContext()
    const scripts: string[] = []
    context.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('.js')) scripts.push(pathname)
    })
    const { page } = await enter(context, await stage.address())
    await first(page, '.uplot canvas').waitFor()
    const bytes = scripts.reduce((sum, file) => sum + sizeOf(file), 0)
    await context.close()
    expect(scripts.filter(one => /mermaid|diagram|dagre/i.test(one))).toEqual([])
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(150_000)
  })

  it('nothing is loaded from elsewhere', async () => {
    const elsewhere = /(?:src|href)="?(?:https?:)?\/\/|@import|url\((?!data:)["']?(?:https?:)?\/\//
    const html = readFileSync(join(DIST, 'index.html'), 'utf8')
    const styles = readdirSync(join(DIST, 'assets')).filter(one => one.endsWith('.css'))
    expect(styles.length).toBeGreaterThan(0)
    expect(
      [html, ...styles.map(one => readFileSync(join(DIST, 'assets', one), 'utf8'))].filter(one => elsewhere.test(one)),
    ).toEqual([])
  })
})
