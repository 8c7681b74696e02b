import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

/** Programs that only read, unless an option says otherwise, and how each is asked for its options. */
const PROGRAMS: Readonly<Record<string, string>> = {
  sort: '--help',
  shuf: '--help',
  uniq: '--help',
  iconv: '--help',
  xxd: '-h',
  tree: '--help',
  base64: '--help',
  sed: '--help',
  gawk: '--help',
}

const OPTION = /(?<![\w-])--?[A-Za-z0-9][\w-]*/g

/** `--output`: with its value behind it or stuck to it, cut short, in a cluster, after `--`. */
function forms(program: string, option: string): readonly string[] {
  const short = option.slice(0, Math.max(3, option.length - 2))
  const all = option.startsWith('--')
    ? [
        `${option} f R`,
        `${option}=f R`,
        `${short} f R`,
        `${short}=f R`,
        `R ${option} f`,
        `${option} R f`,
        `${option} -- -of R`,
      ]
    : [
        `${option} f R`,
        `${option}f R`,
        `${option}o f R`,
        `R ${option} f`,
        `-${option} f R`,
        `${option} R f`,
        `${option} -- -of R`,
      ]
  return all.map(words => `${program} ${words}`)
}

const passes = (line: string): boolean => {
  const { acts, readable } = analyseShellLine(line)
  return readable && acts.every(act => !act.opaque && (act.action === 'read' || act.onlyReads === true))
}

const TEXT = 'b x\\na x\\n'

/** Runs each line in a folder of its own; gives those that left more there, or less, than they found. */
function withEffect(lines: readonly string[]): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'options-'))
  const script = lines.map((line, at) => `mkdir ${at}; cd ${at}; printf '${TEXT}' > R; (${line}); cd ..`).join('\n')
  spawnSync('bash', ['-c', script], { cwd: root, stdio: 'ignore' })
  const changed = lines.filter((_, at) => {
    const folder = join(root, String(at))
    return readdirSync(folder).join() !== 'R' || readFileSync(join(folder, 'R'), 'utf8') !== 'b x\na x\n'
  })
  rmSync(root, { recursive: true })
  return changed
}

describe('what passes as reading has no effect, whatever the options', () => {
  for (const [program, ask] of Object.entries(PROGRAMS)) {
    const help = spawnSync(program, [ask], { encoding: 'utf8', input: '' })
    it.skipIf(help.error !== undefined)(program, { timeout: 300_000 }, () => {
      const options = new Set(`${help.stdout}${help.stderr}`.match(OPTION))
      const lines = [...options].flatMap(option => forms(program, option)).filter(passes)
      expect(lines.length).toBeGreaterThan(5)
      expect(withEffect(lines)).toEqual([])
    })
  }
})
