import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findProgram, isExecutableFile } from '../../src/app/doctor/installed-agents.ts'
import { programOfProjectLauncher, renderProjectLauncher } from '../../src/app/install/program/launcher-script.ts'

const top = mkdtempSync(join(tmpdir(), 'project-launcher-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

/** Where a Signalbox can be, in the order in which it is to be found; `/usr/local/lib` is not ours to write. */
const PLACES = ['moved/data/bin', 'home/.local/share/signalbox/bin', 'project/node_modules/.bin', 'bin']

const choices = PLACES.reduce<readonly (readonly string[])[]>(
  (all, place) => all.flatMap(some => [some, [...some, place]]),
  [[]],
)

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

test.each([
  { withNode: true, asFolder: false },
  { withNode: false, asFolder: false },
  { withNode: true, asFolder: true },
])('doctor looks at the program that the launcher of a project starts ($withNode, $asFolder)', options => {
  for (const [nth, places] of choices.entries()) {
    const at = join(top, `${options.withNode}-${options.asFolder}-${nth}`)
    for (const folder of ['bin', 'home', 'project']) mkdirSync(join(at, folder), { recursive: true })
    put(join(at, 'project/.signalbox/hook'), renderProjectLauncher())
    for (const tool of ['sh', 'cat', 'printf'])
      symlinkSync(findProgram(tool, process.env.PATH) ?? '', join(at, 'bin', tool))
    if (options.withNode) put(join(at, 'bin/node'), '#!/bin/sh\n')
    for (const [order, place] of places.entries()) {
      const file = join(at, place, 'signalbox')
      // a folder of that name is no program: to start it would fail, and the call would pass
      if (options.asFolder && order === 0) mkdirSync(file, { recursive: true })
      else put(file, `#!/bin/sh\ncat > /dev/null\nprintf %s '${file}'\n`)
    }
    const env = { PATH: join(at, 'bin'), HOME: join(at, 'home'), SIGNALBOX_HOME: join(at, 'moved') }
    const started = execFileSync(join(at, 'project/.signalbox/hook'), ['hook', '--client', 'claude-code'], {
      env,
      input: '{"hook_event_name":"SessionEnd"}',
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const seen = programOfProjectLauncher(join(at, 'project'), env, isExecutableFile, name =>
      findProgram(name, env.PATH),
    )
    expect({ places, seen: seen ?? '' }).toEqual({ places, seen: started.startsWith('{') ? '' : started })
    const real = options.asFolder ? places.slice(1) : places
    const first = real.find(place => options.withNode || place !== 'project/node_modules/.bin')
    expect({ places, seen: seen ?? '' }).toEqual({
      places,
      seen: first === undefined ? '' : join(at, first, 'signalbox'),
    })
  }
})
