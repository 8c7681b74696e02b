import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCanary } from '../../src/app/install/program/canary.ts'
import { clientById } from '../../src/clients/index.ts'

const home = mkdtempSync(join(tmpdir(), 'signalbox-probe-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const DENIED = JSON.stringify({
  hookSpecificOutput: {
    ...{ hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    permissionDecisionReason: 'Only people can switch Signalbox.',
  },
})

/** A hook that has no time for the first calls. */
function putHook(late: number): string {
  const bin = join(home, '.local/share/signalbox/bin')
  const count = join(home, 'count')
  writeFileSync(count, '')
  mkdirSync(bin, { recursive: true })
  const script = `#!/bin/sh
cat > /dev/null
echo >> '${count}'
[ "$(wc -l < '${count}')" -le ${late} ] && { echo 'signalbox: no reply within 2 s' >&2; exit 0; }
echo '${DENIED}'
`
  writeFileSync(join(bin, 'signalbox'), script)
  chmodSync(join(bin, 'signalbox'), 0o755)
  return `${bin}/signalbox hook --client claude-code`
}

const client = clientById('claude-code')

async function probed(late: number) {
  const command = putHook(late)
  mkdirSync(join(home, '.claude'), { recursive: true })
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command, timeout: 10 }] }] }
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }))
  const data = join(home, '.local/share/signalbox')
  const place = { home, data, cwd: home, env: { HOME: home, PATH: process.env.PATH } } as never
  return client && runCanary(client, 'user', place)
}

it('a machine that is busy for a moment is asked once more', async () => {
  expect(await probed(0)).toMatchObject({ denied: true })
  expect(await probed(1)).toMatchObject({ denied: true })
  expect(await probed(9)).toMatchObject({ denied: false, why: 'signalbox: no reply within 2 s' })
})
