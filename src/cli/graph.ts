import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diagramOf } from '../explain/index.ts'
import { didYouMean } from '../policy/index.ts'
import type { Command, Terminal } from './command.ts'
import { openProject } from './project.ts'

export const graph: Command = {
  name: 'graph',
  summary: 'The gates as state diagrams (Mermaid): what opens them, what closes them, what they stop.',
  usage: '[gate …] [--svg] [--all] [--json]',
  about: {
    svg: 'drawn, as SVG; needs the package mermaid and a Chromium',
    all: 'the built-in gates, too',
    json: 'a list of { gate, mermaid }',
  },
  example: 'signalbox graph > gates.mmd',
  options: { svg: { type: 'boolean' }, all: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: true,
  forPrograms: () => true,
  async run({ values, positionals, terminal }) {
    const { policy, root } = openProject(terminal)
    const all = policy.program.gates
    const shown =
      positionals.length > 0
        ? all.filter(gate => positionals.some(one => one === gate.name || one === gate.id))
        : all.filter(gate => values.all || gate.layer !== 'built-in')
    const unknown = positionals.find(one => !all.some(gate => one === gate.name || one === gate.id))
    if (unknown !== undefined) {
      const guess = didYouMean(
        unknown,
        all.map(gate => gate.name),
      )
      terminal.err(`signalbox graph: unknown gate \`${unknown}\`${guess ? `; ${guess}` : ''}\n`)
      return 2
    }
    if (shown.length === 0) {
      terminal.err('signalbox graph: there is no gate here; `--all` shows the built-in ones\n')
      return 2
    }
    const drawn = shown.map(gate => ({ gate: gate.id, mermaid: diagramOf(gate, root) }))
    if (values.svg)
      return drawSvg(
        drawn.map(one => one.mermaid),
        terminal,
      )
    if (values.json) terminal.out(`${JSON.stringify(drawn, null, 2)}\n`)
    else terminal.out(drawn.map(({ gate, mermaid }) => `%% ${gate}\n${mermaid}\n`).join('\n'))
    return 0
  },
}

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Mermaid draws in a browser only: both have to be there already, nothing is fetched. */
function drawSvg(diagrams: readonly string[], { out, err, env, cwd }: Terminal): 0 | 2 {
  const mermaid = mermaidFrom(cwd)
  const browser = env.SIGNALBOX_BROWSER ?? BROWSERS.flatMap(name => onPath(name, env.PATH))[0]
  const missing = [
    ...(mermaid ? [] : ['the package `mermaid` (npm install --save-dev mermaid, in this project)']),
    ...(browser
      ? []
      : [`a Chromium on the PATH (${BROWSERS.slice(0, 3).join(', ')}), or its path in SIGNALBOX_BROWSER`]),
  ]
  if (!mermaid || !browser) {
    err(`signalbox graph: --svg needs ${missing.join(', and ')}\nWithout it: signalbox graph > gates.mmd\n`)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-graph-'))
  try {
    const page = join(folder, 'page.html')
    writeFileSync(page, pageOf(readFileSync(mermaid, 'utf8'), diagrams))
    const args = [
      '--headless',
      '--disable-gpu',
      '--no-sandbox',
      '--virtual-time-budget=10000',
      `--user-data-dir=${join(folder, 'profile')}`,
      '--dump-dom',
      `file://${page}`,
    ]
    const { stdout, status } = spawnSync(browser, args, { encoding: 'utf8', timeout: 60_000, maxBuffer: 64_000_000 })
    const pictures = [...(stdout ?? '').matchAll(/<svg[\s\S]*?<\/svg>/g)].map(([svg]) => svg)
    if (status !== 0 || pictures.length < diagrams.length) {
      err(`signalbox graph: ${browser} drew ${pictures.length} of ${diagrams.length} diagrams (exit ${status})\n`)
      return 2
    }
    for (const svg of pictures) out(`${svg}\n`)
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of the project that asks: it is no part of Signalbox. */
function mermaidFrom(cwd: string): string | undefined {
  try {
    return createRequire(join(cwd, 'package.json')).resolve(['mermaid', 'dist/mermaid.min.js'].join('/'))
  } catch {
    return undefined
  }
}

const onPath = (name: string, path = ''): readonly string[] =>
  path
    .split(':')
    .map(folder => join(folder, name))
    .filter(file => existsSync(file))

const escaped = (text: string): string => text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)

const pageOf = (script: string, diagrams: readonly string[]): string => `<!doctype html><meta charset="utf-8">
${diagrams.map(one => `<pre class="mermaid">${escaped(one)}</pre>`).join('\n')}
<script>${script.replaceAll('</script', '<\\/script')}</script>
<script>mermaid.initialize({ startOnLoad: true, securityLevel: 'strict' })</script>
`
