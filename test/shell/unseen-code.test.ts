import { describe, expect, it } from 'vitest'
import { keptLines } from '../../scripts/fuzz/lines.mjs'
import { isCleared } from '../../scripts/fuzz/verdict.mjs'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

describe('code that no syntax tree shows', () => {
  it.each(keptLines())('$shell runs a command in $line', ({ line }) => {
    expect(isCleared(analyseShellLine(line))).toBe(false)
  })
})

describe('what looks like code, and is text', () => {
  it.each([
    `awk '{print $(NF)}' a.txt`,
    `grep 'a(b)' a.txt`,
    `echo "a > (b)"`,
    `echo 'fix $(x)' '\`y\`'`,
    `grep -c '<(' a.sh`,
    `cat <<'E'\n$(x) \`y\` \${z:-'}'}\nE`,
    `echo a # $(x) \`y\``,
  ])('%s', line => {
    expect(isCleared(analyseShellLine(line))).toBe(true)
  })
})
