/** Programs whose names are no English words. */
const PROGRAMS =
  /^(git|gh|npm|npx|pnpm|yarn|bun|bunx|node|deno|python3?|pip3?|uv|ruby|perl|php|rm|mv|cp|ln|dd|tee|sed|awk|chmod|chown|mkdir|rmdir|curl|wget|ssh|scp|rsync|bash|sh|zsh|sudo|env|xargs|docker|podman|kubectl|helm|terraform|cargo|rustc|mvn|gradle|pytest|vitest|jest|tsc|eslint|grep|rg|ls|cd|echo|printf|signalbox)$/
/** Programs whose names are words too: `make sure`, `find the file`. */
const WORDS =
  /^(make|go|test|find|cat|touch|kill|cut|sort|head|tail|time|which|install|source|export|command|exec|eval)$/
const OPERATOR = /&&|\|\||;\s|\s\|\s|\s>>?\s|\$\(|`/
/** Outside of quotes they are in a sentence: `git commit is refused`. */
const SENTENCE =
  /\s(a|an|the|is|are|was|be|to|of|for|with|in|on|and|or|not|all|it|this|that|before|after|uses|fails|failed)\s/i
const MOST_WORDS = 4
const LONGEST = 4000

/** Could somebody have written this for a shell? Asked of text in a field that does not say what it is. */
export function looksLikeShell(text: string): boolean {
  if (text.length > LONGEST) return false
  const bare = text.replace(/'[^']*'|"[^"]*"/g, '""').trim()
  const [first = '', second, ...more] = bare.split(/\s+/)
  const name = first.slice(first.lastIndexOf('/') + 1)
  if (second === undefined) return false
  if (OPERATOR.test(bare)) return PROGRAMS.test(name) || WORDS.test(name)
  if (SENTENCE.test(`${bare} `)) return false
  if (PROGRAMS.test(name)) return more.length + 2 <= MOST_WORDS || /\s-|[/~.]|""/.test(bare)
  return WORDS.test(name) && /^-|[/.=]/.test(second)
}
