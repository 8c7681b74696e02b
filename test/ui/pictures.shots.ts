import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enter, openBrowser, Stage, THEMES, WIDTHS } from './stage.ts'
import { play } from './story/play.ts'
import { MAIN_SESSION, STORY } from './story/script.ts'
import { saveWorkflows } from './story/workflow.ts'

const OUT = process.env.PICTURES ?? resolve(import.meta.dirname, '../../docs/images')

/** Where it is early afternoon now: the days of the story are then those of people. */
const hoursEast = ((((14 - new Date().getUTCHours()) % 24) + 36) % 24) - 12
const zone = `Etc/GMT${hoursEast > 0 ? '-' : '+'}${Math.abs(hoursEast)}`

let browser: Browser
let stage: Stage

beforeAll(async () => {
  browser = await openBrowser()
  stage = new Stage(undefined, { TZ: zone })
  const tools = stage.sandbox.install(['gh'])
  process.env.PATH = `${tools}:${process.env.PATH}`
  await stage.setBack(8 * 86_400_000)
  await stage.init('claude-code', 'codex-cli', 'gemini-cli')
  await play(stage, STORY, { past: true })
  await stage.backToNow()
  saveWorkflows(stage.state, stage.sandbox.project)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await stage?.close()
})

const SHOTS: Readonly<Record<string, { at: string; ready: string; act?: (page: Page) => Promise<void> }>> = {
  overview: {
    at: '#/overview',
    ready: '.uplot canvas',
    act: page => page.getByText('Still counting').waitFor({ state: 'detached' }),
  },
  feed: {
    at: '#/feed',
    ready: '.feed-row',
    act: async page => {
      await page.locator('.feed-row', { hasText: 'git push --force' }).first().click()
      await page.locator('.tree').waitFor()
    },
  },
  sessions: { at: '#/sessions', ready: '.table tbody tr' },
  session: {
    at: `#/sessions/claude-code/${MAIN_SESSION}`,
    ready: '.mark',
    act: async page => {
      // where it is narrow, the next one lies upon it
      await page.locator('.mark[data-tone="deny"]').nth(1).dispatchEvent('click')
      await page.locator('.tree').waitFor()
    },
  },
  gates: { at: '#/gates', ready: '.table tbody tr' },
  gate: { at: '#/gates/project%2Fpush-needs-tests', ready: '.diagram .node' },
  workflows: { at: '#/workflows', ready: '.workflow tbody tr' },
  playground: {
    at: '#/playground?event=git+push+origin+main',
    ready: '.tree',
    act: async page => {
      await page.getByRole('button', { name: 'try a draft' }).click()
      const draft = page.getByLabel('Draft of the project')
      await draft.fill((await draft.inputValue()).replace('then: deny', 'then: ask'))
      await page.getByRole('button', { name: 'Evaluate' }).click()
      await page.getByText('· different').waitFor()
      for (const box of [draft, page.locator('main')]) await box.evaluate(one => one.scrollTo(0, 0))
    },
  },
  policy: {
    at: '#/policy',
    ready: '.layers',
    act: async page => {
      const prove = page.getByRole('button', { name: 'Run the proof' })
      if (await prove.count()) await prove.click()
      await page.getByText('no deadlock: no agent can get stuck').waitFor()
    },
  },
}

it('shows every page, in both themes and two widths', async () => {
  mkdirSync(OUT, { recursive: true })
  const names: string[] = []
  for (const theme of THEMES)
    for (const width of WIDTHS) {
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: { width, height: width === 1280 ? 800 : 740 },
        timezoneId: zone,
        reducedMotion: 'reduce',
      })
      const { page, wrong } = await enter(context, await stage.address())
      for (const [name, { at, ready, act }] of Object.entries(SHOTS)) {
        if (process.env.ONLY && !process.env.ONLY.split(',').includes(name)) continue
        await page.goto(new URL(at, page.url()).href)
        await page.locator(ready).first().waitFor()
        await act?.(page)
        await page.mouse.move(0, 0)
        await page.waitForTimeout(350)
        writeFileSync(join(OUT, `${name}-${theme}-${width}.png`), await page.screenshot({ scale: 'css' }))
        names.push(join(OUT, `${name}-${theme}-${width}.png`))
      }
      expect(wrong).toEqual([])
      await context.close()
    }
  // a third of the size, where it is installed
  spawnSync('pngquant', ['--force', '--ext', '.png', '--strip', '--speed', '1', '128', ...names])
})
