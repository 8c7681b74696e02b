import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { Visitor } from '../test/dashboard/dashboard-visitor.ts'
import { Installed } from './installed.ts'
import { type Line, line, median, type Result, report } from './measure.ts'
import { timed, writePast } from './stats.ts'

const RECORDS = Number(process.env.SIGNALBOX_BENCH_RECORDS) || 1_000_000
/** nothing of it is old enough to go */
const DAYS = 80
const TIMES = 9
const FIRST_PAGE_MS = 1000
const RATE = 1000
const ROUNDS = 16
const WINDOW_MS = 1500
const PAUSE_MS = 4
const CHROMIUM = process.env.SIGNALBOX_CHROMIUM ?? '/usr/bin/chromium'

/** The dashboard over a million records; and what a hook feels of a page that follows a thousand decisions a second. */
export async function benchDashboard(project: string): Promise<Result> {
  const there = new Installed(project)
  try {
    const written = timed(() => writePast(join(there.home, 'state'), RECORDS, DAYS, [there.project('small')]))
    await there.daemon()
    const visitor = await Visitor.enter(open(there))
    const cold = await firstPage(visitor)
    // which the daemon does while no event comes, and takes longer the more others work here
    spawnSync(there.hook, ['stats'], { env: there.env })
    const sorted = await whenSorted(visitor)
    const lines = [
      await asked('the first page: situation, overview, feed, gates', () => firstPage(visitor)),
      await asked('the feed, refusals only', () => visitor.get('/api/decisions?decision=deny')),
      await asked('… of one gate, from the middle', () =>
        visitor.get(`/api/decisions?gate=tests-before-commit&before=${RECORDS / 2}`),
      ),
      await asked('… of one agent', () => visitor.get('/api/decisions?client=gemini-cli')),
      await asked('a text that is nowhere, to the end', () => everything(visitor, 'no-such-text')),
      await asked('sessions', () => visitor.get('/api/sessions')),
      await asked('the timeline of the latest', async () => visitor.get(await latestSession(visitor))),
      await asked('an explanation', () => visitor.get(`/api/decisions/${RECORDS - 1}`)),
    ]
    const { still, watched, drawn, ratio, drawnRatio, seen, skipped, made } = await follow(there, visitor)
    const ms = (lines[0]?.us ?? Infinity) / 1000
    return report(
      `dashboard: ${RECORDS.toLocaleString('en')} records (written in ${written.toFixed(0)} s), then sorted in ${sorted.toFixed(0)} s`,
      [...lines, still, watched, ...(drawn ? [drawn] : [])],
      [
        {
          text: `the first page, nothing sorted or counted yet: ${cold.toFixed(0)} ms ≤ ${FIRST_PAGE_MS} ms`,
          ok: cold <= FIRST_PAGE_MS,
        },
        { text: `the first page: ${ms.toFixed(0)} ms ≤ ${FIRST_PAGE_MS} ms`, ok: ms <= FIRST_PAGE_MS },
        {
          text: `a hook with a page that follows ${RATE} a second: ${ratio.toFixed(2)} × without ≤ 1.1 ×`,
          ok: ratio <= 1.1,
        },
        ...(drawnRatio === undefined
          ? []
          : [
              {
                text: `… with Chromium drawing them: ${drawnRatio.toFixed(2)} × without ≤ 1.1 ×`,
                ok: drawnRatio <= 1.1,
              },
            ]),
        {
          text: `${seen} of ${made} decisions came to the page, ${skipped} were skipped`,
          ok: seen >= made && skipped === 0,
        },
      ],
    )
  } finally {
    there.end()
  }
}

function open({ hook, env }: Installed): string {
  const { stdout, stderr } = spawnSync(hook, ['ui', '--json'], { env, encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout).url
}

/** What the page asks for at once. In milliseconds. */
async function firstPage(visitor: Visitor): Promise<number> {
  const began = performance.now()
  const paths = ['situation', 'overview', 'decisions', 'gates']
  await Promise.all(paths.map(path => visitor.get(`/api/${path}`)))
  return performance.now() - began
}

async function whenSorted(visitor: Visitor): Promise<number> {
  for (const began = performance.now(); ; await pause(500)) {
    const { indexingProgress } = await visitor.get<{ indexingProgress: { blocks: number; of: number } }>(
      '/api/sessions?limit=1',
    )
    const { counted } = await visitor.get<{ counted: { upTo: number; of: number } }>('/api/overview')
    if (indexingProgress.blocks === indexingProgress.of && counted.upTo >= counted.of)
      return (performance.now() - began) / 1000
  }
}

async function everything(visitor: Visitor, text: string): Promise<void> {
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const page: { before: number | null } = await visitor.get(`/api/decisions?text=${text}&all=1&before=${before}`)
    before = page.before
  }
}

async function latestSession(visitor: Visitor): Promise<string> {
  const { rows } = await visitor.get<{ rows: { client: string; session: string }[] }>('/api/sessions?limit=2')
  const { client = '', session = '' } = rows[1] ?? {}
  return `/api/sessions/${client}/${session}`
}

async function asked(name: string, work: () => Promise<unknown>): Promise<Line> {
  const samples: number[] = []
  for (let nth = 0; nth < TIMES; nth++) {
    const began = performance.now()
    await work()
    samples.push((performance.now() - began) * 1000)
  }
  return line(
    name,
    samples.sort((a, b) => a - b),
  )
}

/** A feed that is open in the browser of this machine, where there is one. */
class Drawn {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly home: string,
  ) {}

  static async open(address: string): Promise<Drawn | undefined> {
    if (!existsSync(CHROMIUM)) return undefined
    const { chromium } = await import('playwright-core')
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const browser = await chromium.launch({ executablePath: CHROMIUM, args })
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return new Drawn(browser, page, new URL(address).origin)
  }

  async show(isShown: boolean): Promise<void> {
    await this.page.goto(isShown ? `${this.home}/#/feed?all=1` : 'about:blank')
    if (isShown) await this.page.locator('.feed-row').first().waitFor()
  }

  end = (): Promise<void> => this.browser.close()
}

const WAYS = ['still', 'watched', 'drawn'] as const
type Way = (typeof WAYS)[number]

/** Hook calls beside a thousand decisions a second: with a page that listens, with one that draws, and with none, in turns. */
async function follow(there: Installed, visitor: Visitor) {
  const load = await there.tool('load')
  const samples: Record<Way, number[]> = { still: [], watched: [], drawn: [] }
  const ratios: Record<'watched' | 'drawn', number[]> = { watched: [], drawn: [] }
  let [seen, skipped, made] = [0, 0, 0]
  const browser = await Drawn.open(open(there))
  const ways = WAYS.filter(how => how !== 'drawn' || browser)
  for (let round = 0; round < ROUNDS; round++) {
    const medians: Record<Way, number> = { still: 0, watched: 0, drawn: 0 }
    for (const how of round % 2 === 0 ? ways : [...ways].reverse()) {
      await browser?.show(how === 'drawn')
      const page = how === 'watched' ? visitor.listen('/api/stream?all=1') : undefined
      await pause(300)
      const before = there.sent
      const times = await calls(there, load)
      samples[how].push(...times)
      medians[how] = median([...times].sort((a, b) => a - b))
      if (!page) continue
      await pause(1000)
      made += there.sent - before
      seen += page.rows.length
      skipped += page.of('skipped').reduce((sum, { data }) => sum + data.n, 0)
      page.end()
    }
    for (const how of ['watched', 'drawn'] as const) ratios[how].push(medians[how] / medians.still)
  }
  await browser?.end()
  const ratioOf = (how: keyof typeof ratios) => median(ratios[how].sort((a, b) => a - b))
  const sorted = (how: Way) => samples[how].sort((a, b) => a - b)
  return {
    still: line(`a hook call beside ${RATE} a second`, sorted('still')),
    watched: line('… with a page that follows them', sorted('watched')),
    drawn: browser && line('… with Chromium drawing them', sorted('drawn')),
    // of neighbours: whatever else works on this machine, it works on both
    ratio: ratioOf('watched'),
    drawnRatio: browser && ratioOf('drawn'),
    ...{ seen, skipped, made },
  }
}

async function calls(there: Installed, load: string): Promise<readonly number[]> {
  const events = (RATE * WINDOW_MS) / 1000
  const frame = there.frame('small', 'git status --short')
  const args = [join(there.runFolder, 'socket'), frame, 1, events, there.sent, RATE]
  const loading = spawn(load, args.map(String), { stdio: 'ignore' })
  there.sent += events
  const ended = new Promise<void>(done => loading.on('close', () => done()))
  const samples: number[] = []
  while (loading.exitCode === null && loading.signalCode === null) {
    samples.push((await there.run(there.hook, there.hookArgs, there.payload('small', 'ls'))).us)
    await pause(PAUSE_MS)
  }
  await ended
  return samples
}

const pause = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms))
