import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { tell, told } from './action-text.ts'

const isOpaque = (line: string): boolean => analyseShellLine(line).acts.some(act => act.opaque)

describe('what is written in code that cannot be read as a whole', () => {
  it.each([
    [`python3 -c "import shutil; shutil.rmtree('/home/dev')"`, 'delete /home/dev'],
    [`python3 -c "import shutil; shutil.rmtree('/home/dev', ignore_errors=True)"`, 'delete /home/dev'],
    [`cd /srv && python3 -c "import os; os.remove('a.db')"`, 'delete /srv/a.db'],
    [`python3 -c "import os,shutil; shutil.rmtree(os.path.expanduser('~/a'))"`, 'delete ~/a'],
    [`python3 -c "from pathlib import Path; Path('a').unlink()"`, 'delete a'],
    [`python3 -c "open('a', 'w').write('x')"`, 'write a'],
    [`python3 -c "print(open('.env').read())"`, 'read .env'],
    [`python3 -c "import os; os.system('git push -f')"`, 'run git push -f'],
    [`python3 -c "import subprocess; subprocess.run(['rm', '-rf', '/srv'])"`, 'delete /srv'],
    [`python3 -c "import subprocess; subprocess.check_call('rm -rf /srv', shell=True)"`, 'delete /srv'],
    ["python3 - <<'EOF'\nimport shutil\nshutil.rmtree('/home/dev')\nEOF", 'delete /home/dev'],
    [`node -e "require('fs').rmSync('/srv', {recursive: true, force: true})"`, 'delete /srv'],
    [`node -e "fs.rmSync(os.homedir() + '/x')"`, 'delete ~/x'],
    [`node -e "require('child_process').execSync('git push -f')"`, 'run git push -f'],
    [`node -e "require('child_process').spawnSync('rm', ['-rf', '/srv'], { stdio: 'inherit' })"`, 'delete /srv'],
    [`perl -e 'system("rm -rf /srv")'`, 'delete /srv'],
    [`perl -e 'system("rm", "-rf", "/srv")'`, 'delete /srv'],
    [`perl -e 'unlink glob("$ENV{HOME}/*")'`, 'delete ~/* (glob)'],
    [`perl -e 'unlink "a", "b"'`, 'delete b'],
    [`ruby -e 'FileUtils.rm_rf(Dir.home)'`, 'delete ~'],
    ["ruby -e '`git push`'", 'run git push'],
    [`ruby -e 'system "git push"'`, 'run git push'],
    [`php -r 'shell_exec("rm -rf /srv");'`, 'delete /srv'],
    [`lua -e 'os.execute("rm -rf /srv")'`, 'delete /srv'],
    [`deno eval 'Deno.removeSync("/srv", { recursive: true })'`, 'delete /srv'],
    [`R -e 'unlink("~", recursive = TRUE)'`, 'delete ~'],
    [`julia -e 'rm(homedir(), recursive=true)'`, 'delete ~'],
    [`groovy -e '"rm -rf /srv".execute()'`, 'delete /srv'],
    [`osascript -e 'do shell script "rm -rf /srv" with administrator privileges'`, 'delete /srv'],
    ["tclsh <<< 'file delete -force /srv'", 'delete /srv'],
    [`emacs --batch --eval '(delete-directory "/srv" t)'`, 'delete /srv'],
    [`awk 'BEGIN { system("rm -rf /srv") }'`, 'delete /srv'],
    [`uv run python -c "import shutil; shutil.rmtree('/srv')"`, 'delete /srv'],
    ['eval "rm -rf $HOME"', 'delete ~'],
    ["GIT_PAGER='rm -rf /srv' git log", 'delete /srv'],
    ["EDITOR='rm -rf /srv #' git commit", 'delete /srv'],
    ["git -c alias.x='!rm -rf /srv' x", 'delete /srv'],
    ["man -P 'rm -rf /srv' ls", 'delete /srv'],
    ["tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec='rm -rf /srv'", 'delete /srv'],
    ["sed '1e rm -rf /srv' file", 'delete /srv'],
    ["vim -c '!rm -rf /srv' -c q", 'delete /srv'],
    ["alias ll='rm -rf /srv'; ll", 'delete /srv'],
    ["make -f - <<< 'x:; rm -rf /srv'", 'delete /srv'],
    ["expect -c 'spawn rm -rf /srv; interact'", 'delete /srv'],
  ])('%s', (line, act) => {
    expect(told(line)).toContain(act)
    expect(isOpaque(line)).toBe(true)
  })

  it.each([
    ['echo ~ | xargs rm -rf', 'delete ~'],
    ['xargs -I{} rm -rf {} <<< ~', 'delete ~'],
    ["printf '%s\\n' a b | xargs rm", 'delete b'],
    ["echo a | xargs -I{} sh -c 'rm -rf /srv/{}'", 'delete /srv/a'],
    ["find . -name x -exec sh -c 'rm -rf /srv' \\;", 'delete /srv'],
    ["bash <<< 'rm -rf /srv'", 'delete /srv'],
    ["printf 'rm -rf %s\\n' /srv | bash", 'delete /srv'],
    ["printf '\\x72\\x6d -rf /srv' | sh", 'delete /srv'],
    ['echo cm0gLXJmIC9zcnYK | base64 -d | sh', 'delete /srv'],
    ['base64 -d <<< cm0gLXJmIC9zcnYK | bash', 'delete /srv'],
  ])('%s', (line, act) => {
    expect(told(line)).toContain(act)
  })

  it.each([
    `python3 -c "shutil.rmtree(path)"`,
    `python3 -c "shutil.rmtree('/srv/' + name)"`,
    `python3 -c "shutil.rmtree(f'/srv/{name}')"`,
    'node -e "/x/.exec(\'rm -rf a\')"',
    "node -e 'fs.rmSync(`/srv/$" + "{x}`)'",
    `python3 -c "exec('import os')"`,
    `perl -e 'unlink "a$x"'`,
    `python3 -c "print(1)"`,
  ])('%s is only in doubt', line => {
    const acts = analyseShellLine(line).acts.map(tell)
    expect(acts.filter(act => /^(?:delete|write)/.test(act))).toEqual([])
    expect(acts.filter(act => act.startsWith('run'))).toHaveLength(1)
  })

  it('what cannot be read in it leaves the rest of the line as it is', () => {
    const line = `python3 -c "os.system('rm -rf \\\\'')"; git push`
    expect(told(line)).toContain('run git push')
    expect(analyseShellLine(line).readable).toBe(true)
  })

  it('proves nothing', () => {
    const { acts } = analyseShellLine(`python3 -c "os.system('npm test')"`)
    expect(acts.map(tell)).toContain('run npm test')
    expect(acts.filter(act => act.implied || act.decides).map(tell)).not.toContain('run npm test')
  })
})
