import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

/** Warnings of one rule, as `message; help`; the first sign says whether `check` fails by it. */
const said = (rule: string): readonly string[] => {
  const house = new House()
  house.project(`gates:\n  g:\n    rules:\n      - { id: r, ${rule}, then: deny, message: m }\n`)
  const { problems, warnings } = house.load()
  expect(problems).toEqual([])
  for (const one of warnings) expect(one.line).toBe(4)
  return warnings.map(({ message, help, noEffect }) => `${noEffect ? '!' : '?'} ${message}; ${help}`)
}
const when = (condition: string): readonly string[] => said(`when: { ${condition} }`)

const NAME = 'it is read as one name'

/** Written as other programs want it: what it matches today, and what to write. */
const NO_EFFECT: Readonly<Record<string, string>> = {
  'tool: "Edit|Write"': `\`Edit|Write\` matches no tool: ${NAME}; write a list: \`[Edit, Write]\``,
  'tool: "^(Edit|Write)$"': `\`^(Edit|Write)$\` matches no tool: ${NAME}; write a list: \`[Edit, Write]\``,
  'tool: "Edit, Write"': `\`Edit, Write\` matches no tool: ${NAME}; write a list: \`[Edit, Write]\``,
  'tool: ["Edit Write"]': `\`Edit Write\` matches no tool: ${NAME}; write a list: \`[Edit, Write]\``,
  'tool: "mcp__memory__.*"': '`mcp__memory__.*` matches no tool: a tool is a name, not a regex; write `mcp__memory__*`',
  'tool: ".*"': '`.*` matches no tool: a tool is a name, not a regex; write its name; `*` is any characters',
  'tool: /Edit/': '`/Edit/` matches no tool: a tool is a name, not a regex; write `Edit`',
  'tool: "!Read"': '`!Read` matches no tool; write `not: { tool: Read }`',
  'tool: apply_pacth': undefined as never,
  'path: "!src/**"': '`!src/**` matches no file: `!` is part of the name; write `not: { path: src/** }`',
  'path: "src/.*\\\\.ts"': '`src/.*\\.ts` matches no file: it is a glob, not a regex; write `src/**/*.ts`',
  'path: "^src/"': '`^src/` matches no file: it is a glob, not a regex; write `src/`',
  'path: ".*\\\\.env$"': '`.*\\.env$` matches no file: it is a glob, not a regex; write `**/*.env`',
  'path: "src/.+"': '`src/.+` matches no file: it is a glob, not a regex; write `src/`',
  'path: "(src|lib)/"': '`(src|lib)/` matches no file: alternatives are written in braces; write `{src,lib}/`',
  'path: "src/@(a|b).ts"': '`src/@(a|b).ts` matches no file: alternatives are written in braces; write `src/{a,b}.ts`',
  'path: "src/|lib/"': '`src/|lib/` matches no file: it is read as one path; write a list: `[src/, lib/]`',
  'path: "src/, lib/"': '`src/, lib/` matches no file: it is read as one path; write a list: `[src/, lib/]`',
  'path: "src/[a-z]*.ts"':
    '`src/[a-z]*.ts` matches no file: `[…]` is part of the name here; write `?` for one character, `*` for several',
  'path: "src\\\\a.ts"': '`src\\a.ts` matches no file: folders are separated by `/`; write `src/a.ts`',
  'path: $CLAUDE_PROJECT_DIR/src/':
    '`$CLAUDE_PROJECT_DIR/src/` matches no file: variables are not replaced; paths are relative to the project; `~` is the home folder',
  'event: prompt.submit, prompt: /fix.*/':
    "`/fix.*/` matches only exactly these characters: it is searched for as plain text, not as a regex; write `{ regex: 'fix.*' }`",
  'event: prompt.submit, prompt: /fix/i':
    "`/fix/i` matches only exactly these characters: it is searched for as plain text, not as a regex; write `{ regex: 'fix' }`",
  'event: prompt.submit, prompt: ^yes$':
    "`^yes$` matches only exactly these characters: it is searched for as plain text, not as a regex; write `{ regex: '^yes$' }`",
  'event: prompt.submit, prompt: yes|no':
    "`yes|no` matches only exactly these characters: it is searched for as plain text, not as a regex; write `{ regex: 'yes|no' }`",
  'event: prompt.submit, prompt: "fix*"':
    '`fix*` matches only exactly these characters: `*` is not a wildcard here; write `fix`: it is found anywhere',
  'input: { description: /deploy.*/ }':
    "`/deploy.*/` matches only exactly these characters: it is compared as plain text, not as a regex; write `{ regex: 'deploy.*' }`",
  'env: { CI: "true|1" }':
    "`true|1` matches only exactly these characters: it is compared as plain text, not as a regex; write `{ regex: 'true|1' }`",
  'env: { BRANCH: "release/*" }':
    "`release/*` matches only exactly these characters: `*` is not a wildcard here; write `{ regex: 'release/.*' }`",
  'caller: subagent': '`subagent` matches no caller but one whose type is called `subagent`; write `agent`',
  'caller: main-agent': '`main-agent` matches no caller but one whose type is called `main-agent`; write `main`',
  'caller: user':
    '`user` matches no caller: only agents make calls; to match what a person writes, use `event: prompt.submit, source: user`',
  'caller: "*"':
    '`*` matches no caller: it is treated as the name of an agent; remove `caller`: any agent then matches',
  'caller: "!main"': '`!main` matches no caller; write `not: { caller: main }`',
  'caller: main|reviewer': `\`main|reviewer\` matches no caller: ${NAME}; write a list: \`[main, reviewer]\``,
  'action: spawn, agent: "review*"':
    '`review*` matches no agent: it is a name, without wildcards or regex; write the names as a list',
  'action: spawn, agent: any':
    '`any` matches no agent: it is treated as the name of an agent; remove `agent`: any agent then matches',
  'url: "https://example.com/.*"':
    '`https://example.com/.*` matches no address: `.*` is matched literally; write `*` for any characters in one part, `*rest` for all that follow; or remove the end',
  'url: "^https://example\\\\.com"': undefined as never,
  'url: "https://(a|b).com/"':
    '`https://(a|b).com/` matches no address: `(a|b).com` is matched literally; `*.example.com` is any subdomain, `*` is any host; several hosts are a list',
  'command: Bash(git push:*)':
    '`command` matches the words of one command: `Bash(git push:*)` is the syntax of permissions; write `git push`',
  'command: CI=1 npm test':
    '`command` matches the words of one command: `CI=1` sets a variable and is not a word of the command; write `command: npm test` and `assigns: { CI: "1" }`',
  'command: echo x > out.txt':
    '`command` matches the words of one command: `>` is a redirect and not a word of the command; write `echo x`; to match what a command writes, use `action: write` and `path`',
  'command: npm test 2>&1':
    '`command` matches the words of one command: `2>&1` is a redirect and not a word of the command; write `npm test`; to match what a command writes, use `action: write` and `path`',
  "command: git commit -m 'x y'": undefined as never,
  'command: "git push|git commit"':
    '`command` matches the words of one command: `push|git` is not read as a regex; write a list: `[git push, git commit]`; `*` is any characters in one word',
  'command: "git (push|commit)"':
    '`command` matches the words of one command: `(push|commit)` is not read as a regex; write a list: `[git push, git commit]`; `*` is any characters in one word',
  'command: /git push.*/':
    '`command` matches the words of one command: `/git push.*/` is not read as a regex; write `git push`, whatever follows it; `*` is any characters in one word',
  'command: /git push/i':
    '`command` matches the words of one command: `/git push/i` is not read as a regex; write `git push`, whatever follows it; `*` is any characters in one word',
  'command: psql, words: "^drop"':
    "`^drop` is not read as a regex: it is the text of a word, and `*` is any characters; write `{ regex: '^drop' }`",
  'command: psql, words: /drop.*/':
    "`/drop.*/` is not read as a regex: it is the text of a word, and `*` is any characters; write `{ regex: 'drop.*' }`",
  'command: psql, words: "drop|truncate"':
    "`drop|truncate` is not read as a regex: it is the text of a word, and `*` is any characters; write `{ regex: 'drop|truncate' }`",
  'tool: mcp__github': '`mcp__github` matches no tool: it is only the server of one; write `mcp__github__*`',
  'path: "src/{a,b"': '`src/{a,b` matches no file: its braces are not in pairs; write `{a,b}`',
  'caller: "@reviewer"': '`@reviewer` matches no caller: `@` is not part of a name; write `reviewer`',
  'url: "domain:example.com"':
    '`domain:example.com` matches no address: `domain:example.com` is matched literally; write `example.com`',
  'url: "https?://example.com/a"':
    '`https?://example.com/a` matches no address: `https?://example.com/a` is matched literally; write `example.com/a`: without a scheme it matches any',
  'env: { CI: "*" }':
    "`*` matches only exactly these characters: `*` is not a wildcard here; write `{ regex: '.' }`: any value",
  'tool: Write, input: { file_path: "src/**" }':
    '`src/**` matches only exactly these characters: it is not a glob here; write `path: src/**`',
  'tool: Write, input: { file_path: "*.{ts,tsx}" }':
    '`*.{ts,tsx}` matches only exactly these characters: it is not a glob here; write `path: *.{ts,tsx}`',
  'command: "git push origin {main,master}"':
    '`command` matches the words of one command: the shell replaces `{main,master}` by other words; write a list: `[git push origin main, git push origin master]`',
  'command: "$(git push)"':
    '`command` matches the words of one command: the shell replaces `$(git` by other words; write the command inside it: Signalbox evaluates that, too',
  'command: /^npm publish/':
    '`command` matches the words of one command: `/^npm publish/` is not read as a regex; write `npm publish`, whatever follows it; `*` is any characters in one word',
}

describe('a pattern that is written as other programs want it', () => {
  it.each(Object.entries(NO_EFFECT).filter(([, words]) => words !== undefined))('%s', (condition, words) => {
    expect(when(condition)).toEqual([`! ${words}`])
  })

  it.each(Object.entries(NO_EFFECT).filter(([, words]) => words === undefined))('%s is found, too', condition => {
    expect(when(condition)).toHaveLength(1)
    expect(when(condition)[0]).toMatch(/^! /)
  })
})

/** Can be meant so: `check` fails by it only where the project has such a folder. */
const DOUBTFUL: Readonly<Record<string, string>> = {
  'path: /src/': '`/src/` matches what is in `/src` of the disk, not of the project; write `src/`',
  'path: /packages/app/**':
    '`/packages/app/**` matches what is in `/packages` of the disk, not of the project; write `packages/app/**`',
  'path: /vault/**': '`/vault/**` matches what is in `/vault` of the disk, not of the project; write `vault/**`',
  'caller: assistant': '`assistant` matches no caller but one whose type is called `assistant`; write `main`',
  'action: spawn, agent: Code Reviewer': `\`Code Reviewer\` matches no agent: ${NAME}; write a list: \`[Code, Reviewer]\``,
  'path: src': '`src` matches only this file itself, and nothing below it; for everything in the folder write `src/`',
  'path: packages/app':
    '`packages/app` matches only this file itself, and nothing below it; for everything in the folder write `packages/app/`',
  'path: "**/node_modules"':
    '`**/node_modules` matches only this file itself, and nothing below it; for everything in the folder write `**/node_modules/`',
  'path: .github':
    '`.github` matches only this file itself, and nothing below it; for everything in the folder write `.github/`',
  'path: ~/.ssh':
    '`~/.ssh` matches only this file itself, and nothing below it; for everything in the folder write `~/.ssh/`',
  'tool: Bash, input: { command: "rm *" }':
    '`rm *` matches only exactly this line: it is no pattern; write `command: rm`, whatever follows it',
  'tool: Bash, input: { command: /rm.*/ }':
    "`/rm.*/` matches only exactly this line: it is no pattern; write `{ regex: 'rm.*' }`",
  'path: "src/.*"': '`src/.*` matches only files whose name begins with a dot; for every file write `src/**`',
  'command: git push --force':
    '`git push --force` matches the option only as it is written, not `git push -f`; to match both write `[git push --force, git push -f]`',
  'command: git commit -n':
    '`git commit -n` matches the option only as it is written, not `git commit --no-verify`; to match both write `[git commit -n, git commit --no-verify]`',
  'command: "npm run test:*"':
    '`npm run test:*` does not match `npm run test` itself; to match both write `[npm run test, "npm run test:*"]`',
  'command: psql, words: drop table':
    '`drop table` matches only a quoted word of exactly these characters; for a word that contains it write `"*drop table*"`; several words of a command are `command`',
  'command: [git, push]':
    'a list means "one of these": it matches every `git`, and `push` as a program; for that one command write `git push`',
  'command: [npm, run, build]':
    'a list means "one of these": it matches every `npm`, and `run`, `build` as a program; for that one command write `npm run build`',
}

describe('a pattern that says less than it seems to', () => {
  it.each(Object.entries(DOUBTFUL))('%s', (condition, words) => expect(when(condition)).toEqual([`? ${words}`]))
})

const SOUND: readonly string[] = [
  ...[
    'input: { file_path: /etc/passwd }',
    'env: { SHELL: /bin/zsh }',
    'event: prompt.submit, prompt: /etc/hosts',
    'path: "~/Library/Application Support/Code/**"',
    'path: "docs/User Guide/**"',
    'path: "{**/*.test.*,**/*.spec.*}"',
    'input: { glob: "*.env" }',
    'input: { command: "ls /etc/ssl/" }',
    'url: "localhost:3000/a"',
    'url: "https://example.com:8443/:a"',
    'command: "git push {remote}"',
    'tool: mcp_github_create_issue',
  ],
  ...[
    'tool: Edit',
    'tool: [Edit, Write]',
    'tool: mcp__github__*',
    'tool: "*"',
    'tool: mcp__a-b__get.issue',
    'tool: "mcp__*__write_*"',
    'tool: "*Edit"',
    'tool: Skill',
  ],
  ...[
    'path: src/',
    'path: [src/., /., ~/., ./.]',
    'path: src/**',
    'path: "**/*.ts"',
    'path: "*.md"',
    'path: .env',
    'path: .env.*',
    'path: Makefile',
    'path: "**/.hg/hgrc"',
  ],
  ...['path: README', 'path: bin/deploy', 'path: "app/[id]/page.tsx"', 'path: "app/(group)/page.tsx"', 'path: ".*rc"'],
  ...[
    'path: /etc/passwd',
    'path: /etc/environment',
    'path: ~/notes',
    'path: /etc/',
    'path: ~/.ssh/',
    'path: "{src,lib}/"',
    'path: "my file.txt"',
    'path: .git/hooks/',
  ],
  ...['path: "/**/x.ts"', 'path: $secrets', 'path: "a+b.ts"', 'path: ~/.ssh/id_rsa', 'path: "src/foo.*"'],
  ...[
    'event: prompt.submit, prompt: fix it',
    'event: prompt.submit, prompt: /fix',
    'event: prompt.submit, prompt: what?',
  ],
  ...[
    'event: prompt.submit, prompt: /usr/local/bin/',
    'event: prompt.submit, prompt: { regex: "^yes$" }',
    'env: { CI: "true" }',
  ],
  ...[
    'input: { pattern: "^a|b$" }',
    'input: { command: "a | b" }',
    'caller: main',
    'caller: [agent, reviewer]',
    'caller: "p:dev"',
  ],
  ...[
    'action: spawn, agent: code-reviewer',
    'url: https://*.example.com/a',
    'url: "https://x.com/:a(\\\\d+)/*rest"',
    'url: x.com',
    'url: "https://x.com/release-*/*.zip"',
  ],
  ...[
    'command: [git push --force, git push -f]',
    'command: [git, npm]',
    'command: [rm, mv]',
    'command: rm -rf dist',
    'command: git',
  ],
  ...[
    'command: git commit --amend',
    'command: "find . -exec rm {} ;"',
    "command: it's",
    'command: /usr/bin/rm dist/',
    'command: /entrypoint.sh logs/',
    'command: [git push, git push --force]',
    'command: "mkfs.*"',
    'command: "git push * +*"',
    'command: ["npm run test", "npm run test:*"]',
    'command: psql, words: "DROP TABLE*"',
    'command: git, words: ["+*", -f, 7, "*.env"]',
    "command: psql, words: { regex: '^drop' }",
  ],
]

it.each(SOUND)('nothing is said of %s', condition => expect(when(condition)).toEqual([]))

describe('an exemption that is asked of another act', () => {
  it.each([
    [
      'when: { action: delete }, unless: { command: rm -rf dist }',
      '`command` is never true of `delete`; a command and what it does to a file are two actions: write `unless: { path: dist/ }`',
    ],
    [
      'when: { action: [write, delete] }, unless: { any: [{ path: docs/ }, { command: mv }] }',
      '`command` is never true of `write` or `delete`; a command and what it does to a file are two actions: write `unless: { path: dir/ }`',
    ],
    ['when: { path: src/ }, unless: { command: npm run format }', undefined],
    ['when: { command: rm }, unless: { path: dist/ }', '`path` is never true of `run`; write `unless: { command: … }`'],
    [
      'when: { action: run }, unless: { prompt: yes please }',
      '`prompt` is never true of `tool.before`; remove it, or put it into a rule about that event',
    ],
  ])('%s', (rule, words) => {
    const [first = '', ...rest] = said(rule)
    expect(rest).toEqual([])
    expect(first).toContain('! `unless` matches nothing: ')
    if (words !== undefined) expect(first).toBe(`! \`unless\` matches nothing: ${words}`)
  })

  it.each([
    'when: { action: delete }, unless: { path: dist/ }',
    'when: { action: run }, unless: { command: npm test }',
    'when: {}, unless: { any: [{ command: npm test }, { path: docs/ }, { agent: dev }] }',
    'when: { action: delete }, unless: { not: { command: rm } }',
    'when: { event: [tool.before, prompt.submit] }, unless: { source: user }',
    'when: { tool: Bash }, unless: { path: dist/ }',
  ])('%s is none', rule => expect(said(rule)).toEqual([]))
})
