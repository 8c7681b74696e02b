import { type Arg, literalArg, UNKNOWN_ARG } from '../calls/argument.ts'

const MAX_URLS = 32
const CURL_CHOICE = /\{([^{}]*)\}|\[(\d+)-(\d+)(?::(\d+))?\]|\[([a-z])-([a-z])(?::(\d+))?\]/gi

/** The URLs that curl expands one argument to. curl itself expands `{a,b}` and `[1-3]`, without the shell. */
export function expandCurlGlob(arg: Arg): readonly Arg[] {
  const { text } = arg
  if (text === null || !/[[{]/.test(text)) return [arg]
  if (text.length > 4096 || text.includes('\\')) return [UNKNOWN_ARG]
  let urls = ['']
  let at = 0
  for (const found of text.matchAll(CURL_CHOICE)) {
    const between = text.slice(at, found.index)
    const choices = expandChoice(found)
    if (choices === undefined || urls.length * choices.length > MAX_URLS) return [UNKNOWN_ARG]
    urls = urls.flatMap(url => choices.map(choice => url + between + choice))
    at = found.index + found[0].length
  }
  const rest = text.slice(at)
  return urls.map(url => literalArg(url + rest))
}

function expandChoice([, list, from, to, step, first, last, stride]: RegExpMatchArray): readonly string[] | undefined {
  if (list !== undefined) return list.split(',')
  if (from !== undefined && to !== undefined)
    return numberRange(Number(from), Number(to), Number(step ?? 1))?.map(one => String(one).padStart(from.length, '0'))
  if (first === undefined || last === undefined) return undefined
  return numberRange(first.charCodeAt(0), last.charCodeAt(0), Number(stride ?? 1))?.map(one => String.fromCharCode(one))
}

function numberRange(from: number, to: number, step: number): number[] | undefined {
  if (step < 1 || to < from || (to - from) / step >= MAX_URLS) return undefined
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step)
}
