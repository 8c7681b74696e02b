// The dashboard in a real browser: `npm run test:ui [-- NAME…]`. Finds Chromium, or installs Debian's, or says what to install.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installDebianPackage } from './debian-package.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

function found() {
  const said = process.env.SIGNALBOX_CHROMIUM
  if (said) return existsSync(said) ? said : undefined
  const places = [...(process.env.PATH ?? '').split(':'), '/usr/bin']
  return NAMES.flatMap(name => places.map(folder => `${folder}/${name}`)).find(one => existsSync(one))
}

if (!found()) installDebianPackage('chromium')
const chromium = found()
if (!chromium) {
  console.error(
    process.env.SIGNALBOX_CHROMIUM
      ? `SIGNALBOX_CHROMIUM is ${process.env.SIGNALBOX_CHROMIUM}, and there is no such file`
      : 'no Chromium on the PATH\nDebian and Ubuntu: sudo apt-get install chromium\nelsewhere: SIGNALBOX_CHROMIUM=/path/to/chromium npm run test:ui',
  )
  process.exit(1)
}

const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.ui.config.ts', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, args, {
  stdio: 'inherit',
  env: { ...process.env, SIGNALBOX_CHROMIUM: chromium },
})
process.exit(status ?? 1)
