import { writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { Stage } from './stage.ts'
import { play } from './story/play.ts'
import { STORY } from './story/script.ts'

it('keeps', async () => {
  const stage = new Stage(undefined, { TZ: 'Etc/GMT-10' })
  process.env.PATH = `${stage.sandbox.install(['gh'])}:${process.env.PATH}`
  const t = Date.now()
  await stage.setBack(8 * 86_400_000)
  await stage.init('claude-code', 'codex-cli', 'gemini-cli')
  console.log('init', Date.now() - t)
  await play(stage, STORY, { past: true })
  await stage.backToNow()
  console.log(Date.now() - t, stage.sandbox.folder)
  console.log((await stage.run('stats')).stdout, (await stage.run('status')).stdout)
  await stage.run('daemon', 'stop')
  writeFileSync('/root/work/scratch-ui/kept', stage.sandbox.folder)
}, 180_000)
