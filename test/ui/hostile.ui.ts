import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enter, openBrowser, Stage } from './stage.ts'

/** Whatever an agent says is text. Each would set `window.hacked`, load something, or change what the page is. */
const PAYLOADS: readonly string[] = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '"><svg onload=window.hacked=1>',
  "'-window.hacked=1-'",
  '</title></style></textarea><img src=x onerror=window.hacked=1>',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<a href="javascript:window.hacked=1" id=evil>click</a>',
  '<style>body{display:none}</style>',
  '<base href="https://evil.example/"><link rel=stylesheet href=//evil.example/x.css>',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.hacked=1>',
  '{{constructor.constructor("window.hacked=1")()}} $' + '{window.hacked=1}',
  '%%{init: {"securityLevel": "loose", "theme": "dark"}}%%',
  'x --> y : <img src=x onerror=window.hacked=1>',
  'click closed call window.alert()',
  '&lt;img src=x onerror=window.hacked=1&gt; &#60;script&#62;',
  '\u202Edenied\u202C \u0000 \u001B[31mred \u2028 end note',
  '`<b id=evil>`',
]

/** No policy with such a gate is loaded: it shows in problems, and where an address says it. */
const GATE = '<img src=x onerror=window.hacked=1>'
const yaml = (text: string): string => JSON.stringify(text)

/** Hostile names and words wherever a policy takes them. */
const POLICY = `
gates:
  evil:
    about: ${yaml(PAYLOADS.join(' '))}
    initial: closed
    transitions:
      - { id: opens, from: closed, to: open, when: { event: tool.before, command: [${PAYLOADS.map(one => yaml(`echo ${one.replace(/[^\w<>="]/g, '')}x`)).join(', ')}] } }
    rules:
      - id: says
        while: closed
        when: { event: tool.before, action: [run, write, read, fetch] }
        then: deny
        message: ${yaml(PAYLOADS.join(' '))}
`

const SESSION = '<img src=x onerror=window.hacked=1>'
const AGENT = '<svg onload=window.hacked=1>'

let browser: Browser
let stage: Stage
let page: Page
let wrong: string[]

const go = async (hash: string, ready: string): Promise<void> => {
  await page.goto(new URL(hash, page.url()).href)
  await page.locator(ready).first().waitFor()
}

/** What a page that only shows text can never have. */
const harm = (): Promise<unknown> =>
  page.evaluate(`({
    hacked: window.hacked,
    elements: [...document.querySelectorAll('#root :is(script, style, iframe, object, embed, base, link, #evil, img), [onerror], [onload], [href^="javascript" i]')].map(one => one.outerHTML),
    isShown: getComputedStyle(document.body).display,
    from: performance.getEntriesByType('resource').map(one => new URL(one.name).host).filter(host => host !== location.host),
  })`)
const HARMLESS = { hacked: undefined, elements: [], isShown: 'block', from: [] }

beforeAll(async () => {
  browser = await openBrowser()
  stage = new Stage(POLICY)
  await stage.init('claude-code')
  const base = { session_id: SESSION, transcript_path: '/tmp/x', cwd: stage.sandbox.project }
  const call = (tool_name: string, tool_input: object, more: object = {}) =>
    stage.hook('claude-code', {
      ...base,
      hook_event_name: 'PreToolUse',
      tool_name,
      tool_input,
      tool_use_id: String(Math.random()),
      ...more,
    })
  for (const text of PAYLOADS) {
    await stage.hook('claude-code', { ...base, hook_event_name: 'UserPromptSubmit', prompt: text })
    await call('Bash', { command: `echo '${text.replaceAll("'", '')}'` })
    await call('Write', { file_path: `${stage.sandbox.project}/${text.replaceAll('\u0000', '')}`, content: text })
    await call('WebFetch', { url: `https://example.com/${text}`, prompt: text })
    await call(text, { command: text }, { agent_id: AGENT, agent_type: AGENT })
  }
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } })
  ;({ page, wrong } = await enter(context, await stage.address()))
})

afterAll(async () => {
  await browser?.close()
  await stage?.close()
})

describe('what agents say is text', () => {
  it('in the feed, and in every explanation', async () => {
    await go('#/feed', '.feed-row')
    expect(await page.locator('.feed-list').innerText()).toContain('<style>body{display:none}</style>')
    const rows = await page.locator('.feed-row').count()
    expect(rows).toBeGreaterThan(20)
    for (let nth = 0; nth < Math.min(rows, 25); nth += 3) {
      await page.locator('.feed-row').nth(nth).click()
      await page.locator('.feed-below .decision').waitFor()
      expect(await harm()).toEqual(HARMLESS)
    }
  })

  it('in sessions, their lanes and marks', async () => {
    await go('#/sessions', '.table tbody tr')
    expect(await page.locator('.table').innerText()).toContain(SESSION.slice(0, 8))
    expect(await harm()).toEqual(HARMLESS)
    await page.locator('.table a').first().click()
    await page.locator('.mark').first().waitFor()
    expect(await page.locator('.lane-name').allInnerTexts()).toContain(AGENT)
    await page.locator('.mark').nth(5).click({ force: true })
    await page.locator('.decision').waitFor()
    expect(await harm()).toEqual(HARMLESS)
  })

  it('in a gate and its drawing', async () => {
    await go('#/gates/project%2Fevil', '.diagram .node')
    expect(await page.locator('.diagram').innerText()).toContain('claude')
    expect(await page.locator('.diagram :is(foreignObject, a, image, style, script)').count()).toBe(0)
    expect(await harm()).toEqual(HARMLESS)
  })

  it.each(['overview', 'gates', 'policy'])('on the page %s', async name => {
    await go(`#/${name}`, '.sheet')
    await page.waitForTimeout(300)
    expect(await harm()).toEqual(HARMLESS)
  })

  it('in the playground, and in addresses', async () => {
    for (const text of PAYLOADS.slice(0, 6)) {
      await go(`#/playground?event=${encodeURIComponent(`echo ${text}`)}`, '.tree, [role=alert]')
      expect(await harm()).toEqual(HARMLESS)
    }
    await page.getByRole('button', { name: 'try a draft' }).click()
    await page.getByLabel('Draft of the project').fill(`gates: { ${yaml(GATE)}: { rules: [] } }`)
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.locator('.problem', { hasText: GATE }).first().waitFor()
    expect(await harm()).toEqual(HARMLESS)
    for (const text of [GATE, ...PAYLOADS.slice(0, 4)]) {
      await go(`#/gates/${encodeURIComponent(text)}`, '.nothing, .one-line')
      await go(`#/feed?gate=${encodeURIComponent(text)}&session=${encodeURIComponent(text)}`, '.nothing')
      expect(await harm()).toEqual(HARMLESS)
    }
  })

  it("and the page's own rules had nothing to refuse", () => {
    expect(wrong.filter(line => !/status of 4\d\d/.test(line))).toEqual([])
  })
})
