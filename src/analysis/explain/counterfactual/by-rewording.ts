import type { Action, Event, Rule } from '../../../engine/index.ts'
import { leavesOf, type TextPattern, toCommandLine } from '../../../engine/index.ts'
import { type CounterfactualCandidate, type CounterfactualTools, describeDecision } from './counterfactual.ts'
import { type CounterfactualQuery, denyingRulesOf } from './counterfactual-query.ts'
import { isLessStrict } from './less-strict.ts'

/** Free text in an event: the value of a message option in a shell line, a prompt, or a text field of a tool's input. */
interface EditableText {
  readonly text: string
  /** the event with this text instead; undefined if the text cannot be quoted in the line */
  with(text: string): { readonly event: Event; readonly as: string } | undefined
}

/** Texts tried for one message: enough to replace each word once. */
const MAX_TEXTS = 60
const MAX_LENGTH = 200

/** If a denying rule reads a text, tries small variations of that text, including words that the rule's patterns match. */
export function findCounterfactualsByRewording(query: CounterfactualQuery): readonly CounterfactualCandidate[] {
  const { point, now, ask, tools } = query
  const { event } = point
  const read = denyingRulesOf(query).flatMap(rule => textPatternsOf(rule, event))
  if (read.length === 0) return []
  const wanted = read.flatMap(pattern => tools.textLike?.(pattern) ?? []).map(withoutOption)
  for (const message of editableTextsOf(event, tools)) {
    if (message.text.length > MAX_LENGTH) continue
    for (const text of textVariants(message.text, wanted)) {
      const changed = message.with(text)
      const decision = changed ? ask(changed.event) : now
      if (!changed || !isLessStrict(decision, now)) continue
      const change = `with another message, such as ${changed.as}`
      return [
        { by: 'command', decision, event: changed.event, change, text: `${change}, ${describeDecision(decision)}` },
      ]
    }
  }
  return []
}

/** The text patterns of a rule on prompts (if the event has one), written texts and inputs. */
const textPatternsOf = ({ when, unless }: Rule, { prompt }: Event): readonly TextPattern[] =>
  [when, ...(unless ? [unless] : [])].flatMap(leavesOf).flatMap(leaf => {
    if (leaf.key === 'prompt') return prompt ? leaf.in : []
    return leaf.key === 'text' ? leaf.in : leaf.key === 'input' ? leaf.fields.flatMap(field => field.in) : []
  })

/** Removes a leading option such as `-m "`, which a regex over a whole line can include. */
const withoutOption = (text: string): string => text.replace(/^-{1,2}[\w-]+[\s=]*["']?/, '')

/** Variants: wanted text added in front or behind, one word replaced, both, or the whole text replaced. */
function textVariants(text: string, wanted: readonly string[]): readonly string[] {
  const words = text.split(/(?<=\s)/)
  const bare = wanted.filter(name => name.trim() !== '')
  const others = words.map((word, at) => words.with(at, word.replace(/\S+/, 'text')).join(''))
  const behind = (name: string, rest: string): string => (/\s$/.test(name) ? `${name}${rest}` : `${name} ${rest}`)
  const tries = [
    ...bare.flatMap(name => [behind(name, text), `${name}${text}`, `${text} ${name}`]),
    ...others,
    ...bare.flatMap(name => others.map(other => behind(name, other))),
    'text',
    ...bare,
  ]
  return [...new Set(tries)].filter(name => name !== text).slice(0, MAX_TEXTS)
}

function editableTextsOf(event: Event, tools: CounterfactualTools): readonly EditableText[] {
  const { prompt, call } = event
  if (prompt)
    return [
      {
        text: prompt.text,
        with: text => ({ event: { ...event, prompt: { ...prompt, text } }, as: JSON.stringify(text) }),
      },
    ]
  if (!call) return []
  const line = call.input.command
  if (typeof line === 'string') return call.acts.flatMap(action => editableTextsInLine(line, action, tools))
  return Object.entries(call.input).flatMap(([field, value]): readonly EditableText[] => {
    if (typeof value !== 'string' || TARGET_FIELDS.has(field)) return []
    const put = (text: string): Event => ({ ...event, call: { ...call, input: { ...call.input, [field]: text } } })
    return [{ text: value, with: text => ({ event: put(text), as: `${field} ${JSON.stringify(text)}` }) }]
  })
}

/** Fields that name the target of a call: with another value it would be another call. */
const TARGET_FIELDS: ReadonlySet<string> = new Set([
  'file_path',
  'path',
  'notebook_path',
  'url',
  'subagent_type',
  'pattern',
])

const MESSAGE_OPTION = /^(?:-[a-z]*m|--(?:message|body|title|subject|description|notes?))$/

function editableTextsInLine(
  line: string,
  { words = [] }: Action,
  { retyped }: CounterfactualTools,
): readonly EditableText[] {
  return words.flatMap((word, at): readonly EditableText[] => {
    const { text } = word
    if (!retyped || !text || !MESSAGE_OPTION.test(words[at - 1]?.text ?? '')) return []
    const typed = [`"${text}"`, `'${text}'`, toCommandLine([word])].find(name => line.split(name).length === 2)
    if (typed === undefined) return []
    const put = (other: string) => {
      // Only text without these characters keeps its meaning in double quotes.
      if (/["$`\\!\n]/.test(other)) return undefined
      const changed = line.split(typed).join(`"${other}"`)
      const event = retyped(changed)
      return event && { event, as: `\`${changed}\`` }
    }
    return [{ text, with: put }]
  })
}
