import { describe, expect, it } from 'vitest'
import { READ_ONLY_PROGRAMS } from '../../src/engine/shell/calls/read-only-programs.ts'
import { READ_ONLY_COMMANDS } from '../../src/engine/shell/programs/read-only/read-only-commands.ts'
import { marked, runs } from './action-text.ts'

// the tables are in a bundle of their own, which only a call of one of these programs loads
it('the names of the programs are those of their tables', () => {
  expect([...READ_ONLY_PROGRAMS].sort()).toEqual([...READ_ONLY_COMMANDS.keys()].sort())
})

describe('programs that are asked something', () => {
  it.each([
    'node --version',
    'npm ls --depth=0 -g',
    'npm view react versions --json',
    'npm -s ls',
    'npm config get registry',
    'pnpm --filter a ls',
    'pip list --outdated',
    'cargo tree -i serde',
    'cargo -q metadata --no-deps',
    'go list -m -json all',
    'go env GOPATH',
    'gh pr view 12 --json title',
    'gh -R a/b pr view 12',
    'gh api repos/a/b --jq .x',
    'gh api -X GET search/issues',
    'docker ps -aq',
    'docker logs -f -n50 a',
    'docker compose -f x.yml ps',
    'kubectl -n x get pods -o wide',
    'journalctl -u x -n 5',
    'journalctl',
    'dpkg -l x',
    'crontab -l',
    'ip -br a',
    'LC_ALL=C gh pr list',
    'GH_PAGER=cat gh pr list',
    'export LANG=C; pip list',
    'gh api "repos/$X"',
  ])('%j only answers', line => {
    expect(marked(line, 'onlyReads')).toEqual(runs(line))
  })

  it.each([
    'node --version -e x',
    'node x --version',
    'npm test',
    'npm',
    'npm ls --cache=src',
    'npm ls --script-shell=x',
    'npm config set a b',
    'npm --prefix x ls',
    'yarn list',
    'bun pm cache rm',
    'uv version 2.0.0',
    'pip list --log f',
    'cargo tree --config x',
    'cargo +x tree',
    'go env -w A=b',
    'go list -exec x',
    'go list -toolexec=x',
    'gh pr view --web',
    'gh pr view -cw',
    'gh api x -f a=b',
    'gh api -X DELETE x',
    'gh api x -X GET -X DELETE',
    'gh pr view $X',
    'gh pr view "$X"',
    'gh $X view',
    'docker compose -f ps rm',
    'docker --config x ps',
    'docker compose config -o f',
    'kubectl get pods --kubeconfig x',
    'kubectl delete pod x',
    'terraform providers lock',
    'journalctl --rotate',
    'crontab f',
    'crontab -l f',
    'ip addr add x',
    'make --version x',
    './gh pr view',
    'PIP_LOG=f pip list',
    'env PIP_LOG=f pip list',
    'export PIP_LOG=f; pip list',
    'declare -x PIP_LOG=f; pip list',
    'set -a; PIP_LOG=f; pip list',
    'GH_PAGER=x gh pr list',
    'KUBECONFIG=x kubectl get pods',
    'gh() { x; }; gh pr view',
  ])('%j may do more', line => {
    expect(marked(line, 'onlyReads')).not.toEqual(runs(line))
  })
})
