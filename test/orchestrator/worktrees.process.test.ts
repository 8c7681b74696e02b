import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { Stage } from './stage.ts'

const stages: Stage[] = []
afterEach(() => {
  for (const stage of stages.splice(0)) stage.end()
})

/** One whose agent leaves a file where it was started, unless it is to fail. */
function staged(): Stage {
  const stage = new Stage()
  stages.push(stage)
  stage.plays('claude', 'claude-ok', { first: 'case $PWD in *fail*) exit 1;; esac; echo a > done.txt' })
  return stage
}

const AS = ['-c', 'user.name=dev', '-c', 'user.email=dev@example.org', '-c', 'protocol.file.allow=always']
const parallel = (stage: Stage, ...tasks: readonly string[]) => stage.say('--parallel', '--backend', 'claude', ...tasks)
const branches = (stage: Stage) => stage.git('branch', '--format=%(refname:short)').trim().split('\n')
/** The project has no other worktree, no other branch and no folder beside it. */
function expectNothingLeft(stage: Stage, own: readonly string[] = ['main']): void {
  expect(branches(stage)).toEqual(own)
  expect(stage.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(readdirSync(stage.folder).filter(name => name.endsWith('-tasks'))).toEqual([])
  expect(existsSync(join(stage.state, 'approvals')) ? readdirSync(join(stage.state, 'approvals')) : []).toEqual([])
}

it('without a commit there is nothing to begin at, and that is one line', async () => {
  const stage = staged()
  rmSync(join(stage.project, '.git'), { recursive: true })
  stage.git('init', '-q', '-b', 'main')
  expect(await parallel(stage, 'add a page', 'add a flag')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'signalbox orchestrate: `--parallel` starts from the last commit, and there is none yet; commit first\n',
  })
  expect(readdirSync(stage.folder).filter(name => name.endsWith('-tasks'))).toEqual([])
  rmSync(join(stage.project, '.git'), { recursive: true })
  expect((await parallel(stage, 'add a page')).stderr).toMatch(
    /`--parallel` needs a git repository, and this folder is not in one\n$/,
  )
})

it('a worktree that git cannot make leaves neither branch nor folder, and says why', async () => {
  const stage = staged()
  const hook = join(stage.project, '.git/hooks/post-checkout')
  mkdirSync(join(stage.project, '.git/hooks'), { recursive: true })
  writeFileSync(hook, '#!/bin/sh\nexit 3\n')
  chmodSync(hook, 0o755)
  expect((await parallel(stage, 'add a page')).stderr).toMatch(
    /^signalbox orchestrate: git could not create a worktree in \S+: git ended with exit code 3; does the repository have a git hook\?\n$/,
  )
  expectNothingLeft(stage)
  rmSync(hook)
  // somebody's file is where the folder would be
  writeFileSync(join(stage.folder, 'proj-tasks'), '')
  const { exitCode, stderr } = await parallel(stage, 'add a page', 'add a flag')
  expect({ exitCode, lines: stderr.trim().split('\n') }).toEqual({
    exitCode: 1,
    lines: [1, 2].map(() =>
      expect.stringMatching(/^signalbox orchestrate: git could not create a worktree .*: fatal: /),
    ),
  })
  rmSync(join(stage.folder, 'proj-tasks'))
  expectNothingLeft(stage)
})

it('a branch `task` is not in the way, nor are a detached HEAD and changes that are not committed', async () => {
  const stage = staged()
  stage.git('checkout', '-q', '--detach')
  stage.git('branch', 'task')
  writeFileSync(join(stage.project, 'README.md'), 'changed\n')
  const { exitCode, stdout, stderr } = await parallel(stage, 'add a page')
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/^The worktrees do not contain your uncommitted changes/),
  })
  expect(stdout).toMatch(/branch task-add-a-page-[0-9a-f]{4}\n$/)
})

it('eight at once: one that fails is told, and the others are done', async () => {
  const stage = staged()
  const others = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(() => 'add the same page')
  const { exitCode, stdout } = await parallel(stage, ...others, 'fail at this')
  expect(exitCode).toBe(1)
  expect([stdout.match(/^DONE/gm)?.length, stdout.match(/^FAILED/gm)?.length]).toEqual([7, 1])
  const folders = readdirSync(join(stage.folder, 'proj-tasks'))
  expect(folders).toHaveLength(7)
  expect(folders.map(name => readFileSync(join(stage.folder, 'proj-tasks', name, 'done.txt'), 'utf8'))).toEqual(
    folders.map(() => 'a\n'),
  )
  expect(branches(stage)).toHaveLength(8)
})

it('a submodule has its worktrees outside of the project that it is in', async () => {
  const stage = staged()
  const lib = join(stage.folder, 'lib')
  execFileSync('git', ['init', '-q', '-b', 'main', lib])
  execFileSync('git', ['-C', lib, ...AS, 'commit', '-q', '--allow-empty', '-m', 'begin'])
  stage.git(...AS, 'submodule', '--quiet', 'add', lib, 'sub')
  stage.git(...AS, 'commit', '-qm', 'sub')
  expect((await parallel(stage, 'fail at this')).stderr).toMatch(/^Submodules are empty in the worktrees until/)
  expectNothingLeft(stage)
  const { stdout } = await stage.in(join(stage.project, 'sub')).say('--parallel', '--backend', 'claude', 'add a page')
  const [, folder = ''] = /in (\S+), branch task/.exec(stdout) ?? []
  expect(basename(join(folder, '..'))).toBe('sub-tasks')
  expect(folder.startsWith(`${stage.project}/`)).toBe(false)
  expect(stage.git('status', '--porcelain')).toBe('')
})

it('variables of a git hook lead neither us nor the agent into another repository', async () => {
  const stage = staged()
  const other = join(stage.folder, 'other')
  execFileSync('git', ['init', '-q', '-b', 'main', other])
  execFileSync('git', ['-C', other, ...AS, 'commit', '-q', '--allow-empty', '-m', 'begin'])
  const env = { GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: join(other, '.git/index'), GIT_WORK_TREE: other }
  const { stdout } = await stage.run(['--parallel', '--backend', 'claude', 'add a page'], undefined, env)
  expect(stdout).toMatch(/added {5}done\.txt\n {2}in \S+, branch task\/add-a-page/)
  expect(branches(stage)).toHaveLength(2)
  expect(stage.given('claude', 'env')).not.toMatch(/^GIT_/m)
})
