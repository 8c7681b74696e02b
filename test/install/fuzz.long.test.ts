import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  applyInstallPlan,
  applyUninstallPlan,
  extractHooks,
  findUnsupportedSyntax,
  type InstallPaths,
  planInstall,
  planUninstall,
  readManifest,
} from '../../src/app/install/index.ts'
import { addHookEntries, removeHookEntries } from '../../src/app/install/settings-file/hook-entries.ts'
import { nodeValue, parseJsonc } from '../../src/app/install/settings-file/jsonc.ts'
import { hookImporterById } from '../../src/clients/import-hooks.ts'
import { clients } from '../../src/clients/index.ts'
import { clientSettings, clientSettingsById } from '../../src/clients/settings.ts'
import { regexFault } from './adopting.ts'

/** What may stand between two words of a file that people keep. */
const gap = fc.constantFrom(
  '',
  '',
  ' ',
  '\n',
  '\r\n  ',
  '\t',
  '  // c\n',
  '/* x */',
  '\n// {"hooks": [}\n',
  '/* , ] } */\n',
)
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)).map(one => JSON.stringify(one))

const joined = (
  open: string,
  close: string,
  items: readonly string[],
  gaps: readonly string[],
  trailing: boolean,
): string => {
  const at = (nth: number): string => gaps[nth % Math.max(gaps.length, 1)] ?? ''
  const inner = items.map((item, nth) => `${at(nth)}${item}${at(nth + 1)}`).join(',')
  return `${open}${inner}${trailing && items.length > 0 ? `,${at(2)}` : at(3)}${close}`
}
const gaps = fc.array(gap, { minLength: 1, maxLength: 4 })
const member = (key: string, value: string, space: string): string => `${JSON.stringify(key)}${space}:${space}${value}`

const { value } = fc.letrec<{ value: string }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), gaps, fc.boolean())
      .map(([items, all, comma]) => joined('[', ']', items, all, comma)),
    fc
      .tuple(fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }), gaps, fc.boolean())
      .map(([table, all, comma]) => tableText(table, all, comma)),
  ),
}))

const tableText = (table: Readonly<Record<string, string>>, all: readonly string[], comma: boolean): string =>
  joined(
    '{',
    '}',
    Object.entries(table).map(([key, one]) => member(key, one, all[0] ?? '')),
    all,
    comma,
  )

const EVENTS = ['PreToolUse', 'Stop', 'BeforeTool', 'preToolUse', 'SessionStart', 'mine']
const handler = fc.record({
  type: fc.constant('command'),
  command: fc.constantFrom('mine', './x.sh', 'signalbox check', 'echo "// no comment"'),
  timeout: fc.constantFrom(1, 5, 5000),
  async: fc.boolean(),
})
const group = fc.record(
  {
    matcher: fc.constantFrom('Bash', 'Edit|Write', '.*', '('),
    hooks: fc.array(handler, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['hooks'] },
)
const hooks = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...EVENTS), fc.array(fc.oneof(group, handler), { maxLength: 3 }), { maxKeys: 4 }),
    gaps,
    fc.boolean(),
  )
  .map(([table, all, comma]) =>
    tableText(
      Object.fromEntries(
        Object.entries(table).map(([event, list]) => [
          event,
          joined(
            '[',
            ']',
            list.map(one => JSON.stringify(one, null, all.length)),
            all,
            comma,
          ),
        ]),
      ),
      all,
      comma,
    ),
  )

/** A file of settings: anything, with hooks or without. */
const settings = fc
  .tuple(
    fc.dictionary(
      fc.string().filter(key => key !== 'hooks'),
      value,
      { maxKeys: 4 },
    ),
    fc.option(hooks),
    gaps,
    fc.boolean(),
    fc.constantFrom('', '\ufeff'),
  )
  .map(([table, own, all, comma, mark]) => {
    const text = tableText({ ...table, ...(own !== null && { hooks: own }) }, all, comma)
    return `${mark}${all[0] ?? ''}${text}${all[1] ?? ''}`
  })

const served = clientSettings.filter(({ hook }) => hook.kind === 'settings')
const call = { line: '/x/signalbox hook', words: [], timeoutMs: 10_000 }

/** Without lists and tables that hold nothing: an empty list goes with our entry. */
const pruned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(pruned)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).map(([key, one]) => [key, pruned(one)] as const)
  return Object.fromEntries(
    kept.filter(([, one]) => typeof one !== 'object' || one === null || Object.keys(one).length > 0),
  )
}
const saidIn = (text: string): unknown => (text.replace('\ufeff', '').trim() === '' ? {} : nodeValue(parseJsonc(text)))
const hooksIn = (text: string) => (pruned(saidIn(text)) as { hooks?: unknown }).hooks

/** A program of two files: what is tried here are settings, and copying all of ours each time takes ten times as long. */
function smallProgram(folder: string): string {
  mkdirSync(folder)
  for (const name of ['bin', 'packs/starter.yaml'])
    cpSync(resolve(import.meta.dirname, '../..', name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'signalbox', version: '0.0.0', files: ['bin'] }))
  return folder
}

describe('any settings', () => {
  it('an edit keeps what is there, and taking it out gives it back', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(...served), (text, { id, hook }) => {
        if (hook.kind !== 'settings') return
        const entries = hook.entries(call)
        const once = addHookEntries(text, id, entries, hook.defaultKeys)
        expect(addHookEntries(once, id, entries, hook.defaultKeys)).toBe(once)
        const paths = entries.map(({ path }) => path)
        const back = removeHookEntries(once, id, paths)
        expect(hooksIn(back)).toEqual(hooksIn(text))
        const { hooks: _, ...rest } = saidIn(back) as Record<string, unknown>
        const { hooks: __, ...was } = saidIn(text) as Record<string, unknown>
        expect(rest).toEqual(was)
      }),
      { numRuns: 1000 },
    )
  })

  it('init twice is init once, and uninstall is the way back to the byte', { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-fuzz-'))
    const project = join(folder, 'proj')
    const place: InstallPaths = {
      ...{ env: {}, home: join(folder, 'home'), cwd: project, project, state: join(folder, 'state') },
      ...{
        data: join(folder, 'data'),
        userPolicy: join(folder, 'user.yaml'),
        managedPolicy: join(folder, 'managed.yaml'),
      },
      ...{ program: smallProgram(join(folder, 'program')), version: '0.0.0', node: process.execPath },
    }
    try {
      fc.assert(
        fc.property(settings, fc.constantFrom(...served), fc.boolean(), (text, { id, files, hook }, adopts) => {
          const client = clients.find(one => one.id === id)
          const file = join(project, files.project ?? '')
          if (!client) return
          mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, text)
          const wanted = { clients: [client], scope: 'project' as const, ...(adopts && { adopt: { regexFault } }) }
          const plan = planInstall(wanted, place, readManifest(place.state))
          const isLoaded = hook.kind !== 'settings' || findUnsupportedSyntax(text, hook.reads) === undefined
          expect(plan.problems.map(one => one.file)).toEqual(isLoaded ? [] : [file])
          if (!isLoaded) return rmSync(file)
          applyInstallPlan(plan, place)
          const once = readFileSync(file, 'utf8')
          expect(() => parseJsonc(once)).not.toThrow()
          // the time of a hook that was taken over is in the policy then
          const longestHookMs = plan.adoption.longestMs
          expect(planInstall({ ...wanted, longestHookMs }, place, readManifest(place.state)).changes).toEqual([])
          applyUninstallPlan(planUninstall(place, readManifest(place.state), ['project']), place)
          expect(readFileSync(file, 'utf8')).toBe(text)
          rmSync(file)
        }),
        { numRuns: 150 },
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('of the hooks each is taken or stays, none is lost, and no group is left empty', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(...served), (text, { id }) => {
        const adopting = hookImporterById(id)
        if (!adopting || !clientSettingsById(id)) return
        const { taken, remaining, text: rest } = extractHooks(text, adopting, { regexFault })
        const again = extractHooks(rest, adopting, { regexFault })
        expect(again.taken.length).toBe(0)
        expect(again.remaining.length).toBe(remaining.length)
        const count = (from: string) => [...JSON.stringify(hooksIn(from) ?? {}).matchAll(/"type":"command"/g)].length
        expect(count(rest) + taken.length).toBe(count(text))
        expect(JSON.stringify(hooksIn(rest) ?? {})).not.toMatch(/\{"matcher":"[^"]*"\}/)
      }),
      { numRuns: 500 },
    )
  })
})
