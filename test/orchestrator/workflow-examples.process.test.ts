import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readWorkflowRuns } from '../../src/store/index.ts'
import { CAPTURES, Stage } from './stage.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')

const stages: Stage[] = []
afterEach(() => {
  for (const stage of stages.splice(0)) stage.end()
})

/** An agent that writes the files its prompt asks for; the tests of the project fail once, and a review finds something once. */
const AGENT = `prompt=$(cat)
files=$(printf '%s' "$prompt" | sed -n 's/^Before you end, write these files: \\(.*\\)\\. The next.*/\\1/p' | tr ',' ' ')
for file in $files; do
  mkdir -p "$(dirname "$file")"
  if [ -f "$file" ]; then echo APPROVED >> "$file"; else echo "written" > "$file"; fi
done
cat '${join(CAPTURES, 'claude-ok.jsonl')}'`

it.each([
  ['bmad', ['brief', 'requirements', 'person', 'architecture', 'person', 'build', 'verify']],
  ['bmad-iter', ['plan', 'build', 'improve']],
  ['quick-feature', ['build', 'describe']],
] as const)(
  'examples/%s runs to its end, and leaves every file it names',
  async (name, plan) => {
    const stage = new Stage(readFileSync(join(EXAMPLES, name, 'signalbox.yaml'), 'utf8'))
    stages.push(stage)
    stage.program('claude', AGENT)
    stage.program('npm', `if [ -f '${stage.folder}/tried' ]; then exit 0; fi; : > '${stage.folder}/tried'; exit 1`)
    const { exitCode, stdout } = await stage.answering('yes').say('--workflow', name, 'add a cart')
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
    const [run] = readWorkflowRuns(stage.state)
    expect(run).toMatchObject({ state: 'done', plan: [...plan] })
    expect(run?.steps.find(one => one.id === 'build')?.round).toBe(2)
    const left = run?.steps.flatMap(one => one.artifacts.map(({ path }) => path)) ?? []
    expect(left.length).toBeGreaterThan(0)
    for (const path of left) expect(existsSync(join(stage.project, path))).toBe(true)
  },
  120_000,
)
