import type { TextSpan } from '../text/tokens.ts'
import type { SecretArgumentRule } from './secret-argument-rules.ts'

const REFERENCE = /^"?(?:\$[\w{(]|…|<|\[redacted\])/

/** A word of a command with its position, and without its quotes. */
export interface CommandWord {
  readonly word: string
  readonly at: number
  readonly bare: string
  /** where the word begins without its quotes */
  readonly start: number
}

export function toCommandWord(word: string, at: number): CommandWord {
  const [quote] = word
  const quoted = (quote === '"' || quote === "'") && word.length > 1 && word.endsWith(quote)
  return quoted ? { word, at, bare: word.slice(1, -1), start: at + 1 } : { word, at, bare: word, start: at }
}

/** The word without its prefix `kept`, unless the rest only refers to a secret. */
function spanAfterPrefix(prefix: string, { word, at, bare, start }: CommandWord): TextSpan | undefined {
  if (bare.length <= prefix.length || REFERENCE.test(word) || REFERENCE.test(bare.slice(prefix.length)))
    return undefined
  return prefix === '' ? { from: at, to: at + word.length } : { from: start + prefix.length, to: start + bare.length }
}

/** Applies one rule of a program to the words of a command, one after another. */
export class ArgumentScanner {
  private met: boolean
  private seen = 0
  private expects = false
  private skips = false
  private needs: boolean
  private last: TextSpan | undefined

  constructor(readonly habit: SecretArgumentRule) {
    this.met = habit.after === undefined
    this.needs = habit.needs !== undefined
  }

  /** Returns the secret part of this word. */
  see(shown: CommandWord): TextSpan | undefined {
    const { bare } = shown
    if (this.needs && this.habit.needs?.test(bare)) this.needs = false
    const { after, next, keeps, within } = this.habit
    if (this.expects) {
      this.expects = false
      const prefix = keeps ? keeps.exec(bare)?.[0] : ''
      return prefix === undefined || bare.startsWith('-') ? undefined : spanAfterPrefix(prefix, shown)
    }
    if (!this.met) {
      this.met = after?.test(bare) === true
      return undefined
    }
    this.expects = next?.test(bare) === true
    const prefix = this.expects ? undefined : within?.exec(bare)?.[1]
    return prefix === undefined ? this.count(shown) : spanAfterPrefix(prefix, shown)
  }

  private count(shown: CommandWord): TextSpan | undefined {
    const { nth, skips, needs, keeps } = this.habit
    if (nth === undefined) return undefined
    const isValue = this.skips
    this.skips = skips?.test(shown.bare) === true
    if (isValue || shown.bare.startsWith('-')) return undefined
    this.seen += 1
    if (nth === 0 || this.seen === nth)
      this.last = keeps?.test(shown.bare) === false ? undefined : spanAfterPrefix('', shown)
    return this.seen === nth && !needs ? this.last : undefined
  }

  /** Called at the end of the command. */
  end(): TextSpan | undefined {
    const { nth, needs } = this.habit
    return (nth === 0 || needs) && !this.needs ? this.last : undefined
  }
}
