import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ground, onGround } from './fixture.ts'

/** A rule's path may lead through a symlink. A call that names the file where it really is touches the same file. */
const FILES = { '.claude/settings.json': '{}', 'src/a.ts': '', 'signalbox.yaml': 'gates: {}' }
const CLIENT = 'claude-code'

/** Which of the lines are let by. */
async function passed(ground: Ground, lines: readonly string[], cwd: string): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const line of lines) if (!(await refusesOrAsks(ground, line, cwd))) wrong.push(line)
  return wrong
}

const refusesOrAsks = async (ground: Ground, line: string, cwd: string): Promise<boolean> =>
  /"permissionDecision":"(deny|ask)"/.test((await ground.ask(CLIENT, line, cwd)).stdout)

describe('a project that was reached through a symlink', () => {
  it('is guarded where it really is too', () =>
    onGround(FILES, async ground => {
      const link = join(ground.folder, 'link')
      symlinkSync(ground.project, link)
      const real = ground.project
      const lines = [
        `rm -rf ${real}/.claude`,
        `rm ${real}/.claude/settings.json`,
        `rm ${real}/.cl*/settings.json`,
        `rm -rf ${real}/.cl*`,
        `echo {} > ${real}/.claude/settings.json`,
        `mv ${real}/.claude x`,
        `rm ${real}/signalbox.yaml`,
        `find ${real} -delete`,
        `rm -rf ${real}`,
        'cd .. && rm -rf project',
      ]
      expect(await passed(ground, lines, link)).toEqual([])
    }))

  it('and rules about its files hold', () =>
    onGround(
      {
        ...FILES,
        'signalbox.yaml': 'gates: { g: { rules: [{ when: { action: write, path: src/ }, then: deny, message: no }] } }',
      },
      async ground => {
        const link = join(ground.folder, 'link')
        symlinkSync(ground.project, link)
        expect(await passed(ground, [`echo > ${ground.project}/src/a.ts`, 'echo > src/a.ts'], link)).toEqual([])
        expect(await passed(ground, [`echo > ${ground.project}/b.ts`], link)).toHaveLength(1)
      },
    ))
})

describe('a registration that is a symlink to a folder with dotfiles', () => {
  it('is guarded where it really is too, and what lies beside it is not', () =>
    onGround(FILES, async ground => {
      const dotfiles = join(ground.folder, 'dotfiles')
      mkdirSync(dotfiles)
      writeFileSync(join(dotfiles, 'other'), '')
      renameSync(join(ground.project, '.claude'), join(dotfiles, 'claude'))
      symlinkSync(join(dotfiles, 'claude'), join(ground.project, '.claude'))
      const lines = [
        `echo {} > ${dotfiles}/claude/settings.json`,
        `rm ${dotfiles}/claude/settings.json`,
        `rm ${dotfiles}/claude/*`,
        `rm -rf ${dotfiles}/*`,
        `rm -rf ${dotfiles}`,
        `cd ${dotfiles} && mv claude x`,
      ]
      expect(await passed(ground, lines, ground.project)).toEqual([])
      const harmless = [`cat ${dotfiles}/claude/settings.json`, `echo x > ${dotfiles}/other`, `rm ${dotfiles}/o*`]
      expect(await passed(ground, harmless, ground.project)).toEqual(harmless)
    }))
})
