/** Programs whose names are not English words. */
const PROGRAMS =
  /^(git|gh|npm|npx|pnpm|yarn|bun|bunx|node|nodejs|deno|tsx|python[\d.]*|pip3?|pipx|uv|uvx|ruby|perl|php|lua|rm|rmdir|mv|cp|ln|dd|tee|sed|awk|gawk|chmod|chown|chattr|mkdir|mktemp|curl|wget|ssh|scp|sftp|rsync|bash|sh|zsh|dash|fish|ksh|busybox|sudo|doas|su|env|xargs|nohup|setsid|unlink|shred|tar|unzip|gzip|gunzip|bunzip2|xz|zstd|cpio|systemctl|crontab|pkill|killall|sqlite3|psql|mysql|mongosh|redis-cli|vim?|nvim|emacs|nano|docker|podman|kubectl|helm|terraform|cargo|rustc|gcc|clang|cmake|mvn|gradle|gradlew|pytest|vitest|jest|tsc|eslint|prettier|apt|apt-get|brew|grep|rg|ls|cd|echo|printf|jq|yq|powershell|pwsh|osascript|aws|gcloud|gsutil|flyctl|wrangler|pulumi|tmux|zellij|jj|hg|svn|pwd|whoami|signalbox)$/
/** Programs whose names are English words too: `make sure`, `find the file`. */
const WORDS =
  /^(\.|make|go|test|find|cat|touch|kill|cut|sort|head|tail|time|timeout|nice|which|install|source|export|unset|command|exec|eval|trap|patch|truncate|split|at|just|task|mount|true|set|declare|alias)$/
const OPERATOR = /&&|\|\||;\s|\s\|\s|\s>>?\s|\$\(|`/
/** Outside quotes these words mean a sentence: `git commit is refused`. */
const SENTENCE =
  /\s(a|an|the|is|are|was|be|to|of|for|with|in|on|and|or|not|all|it|this|that|before|after|uses|fails|failed)\s/i
const MOST_WORDS = 4
const LONGEST = 4000
/** What may stand before a command. */
const BEFORE =
  /^([({!\s\\`]|\$\s|\$\(|\w+=(\S*)\s+|(if|then|do|else|elif|while|until|time|command|builtin|exec|eval|nohup|sudo|doas|nice|timeout\s+\S+)\s+(?=[^-\s"])|>+\s*\S+\s+)+/
/** A program by its path: `./deploy.sh prod`, `/usr/bin/env node`. */
const BY_PATH = /^(\.{1,2}\/\S+|\/(\S+\/)?s?bin\/\S+|\S+\.(sh|bash|zsh))$/
const LOOP = /^\s*((for|while|until|if|case)\s[\s\S]*[;\n]\s*(do|then|\S+\))\s|#!)/

/** Could this text be written for a shell? Used for fields whose names do not say what they hold. */
export function looksLikeShell(text: string): boolean {
  const whole = text.slice(0, LONGEST)
  const unquoted = whole.replace(/^\s*\\?(["'])([\w./-]+)\1(?=\s)/, '$2')
  const bare = unquoted.replace(/'[^']*'|"[^"]*"/g, '""').trim()
  if (LOOP.test(bare)) return true
  const lines = bare.split('\n').filter(line => !/^\s*(#|$)/.test(line))
  return (
    isLine(lines[0] ?? '') ||
    (lines.length > 1 &&
      lines.some(line => /\S\s+\S/.test(line)) &&
      lines.every(line => PROGRAMS.test(line.trim()) || /^\s*(set\s+-|cd\s|export\s)/.test(line) || isLine(line)))
  )
}

function isLine(bare: string): boolean {
  if (/^\s*(>{1,2}|:\s*>)\s*[\w./~-]+\s*$/.test(bare)) return true
  if (!OPERATOR.test(`${bare} `)) return isProgram(bare, false)
  return bare.split(/&&|\|\|?|;|&/).some((part, at) => isProgram(part, at === 0))
}

/** Before an operator (`isJoined`) the name of a program is enough. */
function isProgram(part: string, isJoined: boolean): boolean {
  const text = part.replace(BEFORE, '').trim()
  const [first = '', second, ...more] = text.split(/\s+/)
  const name = first.slice(first.lastIndexOf('/') + 1)
  if (isJoined) return PROGRAMS.test(name) || WORDS.test(name) || BY_PATH.test(first)
  if (second === undefined || SENTENCE.test(`${text} `)) return false
  if (BY_PATH.test(first)) return true
  if (PROGRAMS.test(name)) return more.length + 2 <= MOST_WORDS || /\s-|[/~.]|""/.test(text)
  return WORDS.test(name) && /^-|[/.="]/.test(second)
}
