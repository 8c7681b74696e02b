import type { ObscureCall } from './obscure-call.ts'

/** Variables whose value a program runs as a shell line. */
const RUN_VARIABLE =
  /(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|_SSH_COMMAND|_PROXY_COMMAND|EXTERNAL_DIFF|^PROMPT_COMMAND|^LESSOPEN|^LESSCLOSE)$/
/** Their code is no shell line, whatever word it begins with. */
const OTHER_LANGUAGE =
  /^(?:python|pypy|node|nodejs|tsx|deno|bun|perl|ruby|php|lua|R$|Rscript|julia|groovy|osascript|emacs|tclsh|[gmn]?awk$)/
/** A text in double quotes in which only the home folder is unknown. */
const HOME_ONLY = /^(?:[^"`\\$]|\$HOME\b|\$\{HOME\})*$/

/** Texts of the call that may be shell lines: values of options and variables, and what stands in quotes. */
export function findPossibleLines({ program, words, assigns = {}, stdin, via }: ObscureCall): readonly string[] {
  const values = Object.entries(assigns).flatMap(([name, value]) =>
    value !== null && RUN_VARIABLE.test(name) ? [value.replace(/^\|+\s*/, '')] : [],
  )
  const inWords = (OTHER_LANGUAGE.test(program) ? [] : words).flatMap(word =>
    /\s/.test(word) ? linesInWord(word) : [],
  )
  const quoted = /^(?:ba|da|z|k)?sh$|^eval$/.test(program)
    ? [...via.matchAll(/"([^"]{1,2000})"/g)].flatMap(([, text = '']) =>
        text.includes('HOME') && HOME_ONLY.test(text) ? [text] : [],
      )
    : []
  const recipes =
    /^g?make$/.test(program) && stdin !== undefined
      ? [...stdin.matchAll(/(?:^|\n)(?:[^\n:#\t]*:[^\n;=]*;|\t)[@-]*([^\n]{1,2000})/g)].map(([, line = '']) => line)
      : []
  return [...new Set([...values, ...inWords, ...quoted, ...recipes])].map(line => line.trim()).slice(0, MOST_LINES)
}

const MOST_LINES = 16

/** `ll=rm -rf a`, `--checkpoint-action=exec=rm a`, `!rm a`, `1e rm a`, `spawn rm a; interact` */
function linesInWord(word: string): readonly string[] {
  const value = /^[\w.+-]+=(?:exec=)?(.*)$/s.exec(word)?.[1]
  return [word, ...(value === undefined ? [] : [value])].map(text =>
    text.replace(/^\s*(?:[:|]?!|\||\d+e\s|spawn\s)\s*/, ''),
  )
}
