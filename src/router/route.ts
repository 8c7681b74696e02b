import { type Cloud, cloudOf } from './cloud.ts'
import { complexityOf } from './complexity.ts'
import { confidenceOf } from './confidence.ts'
import type { Complexity, Intent } from './intents.ts'
import { languagesOf } from './language.ts'
import { ALSO, DOUBT } from './tables/confidence.ts'
import { readText, type Text } from './text.ts'
import { type Score, type Weighed, weigh } from './weigh.ts'
import { type Chosen, type Selected, selectWorkflow, type Workflow } from './workflow.ts'

/** What a router answers, key by key: the gates of packs read this very shape. */
export interface Decision {
  readonly intent: Intent
  readonly complexity: Complexity
  readonly cloud_provider: Cloud | null
  readonly workflow_selection: string
  readonly confidence: number
  readonly reasoning: string
  readonly keywords_detected: readonly string[]
  readonly should_escalate: boolean
  readonly escalation_target: string | null
  /** what it asks for besides, most first */
  readonly also: readonly Intent[]
}

export interface Surroundings {
  readonly workflows: readonly Workflow[]
  readonly chosen: Chosen
  /** the agent that leads work of several; null: there is none, and then nobody is named */
  readonly leader: string | null
}

const ALONE: Surroundings = { workflows: [], chosen: {}, leader: null }

/** The same request, the same decision: no model, no clock, no chance. */
export function route(request: string, { workflows, chosen, leader }: Surroundings = ALONE): Decision {
  const text = readText(request)
  const weighed = weigh(text)
  const [best] = weighed.scores
  const intent = best.intent
  const complexity = complexityOf(intent, text.words, languagesOf(text.words).all)
  const confidence = confidenceOf(weighed, text)
  const selected = selectWorkflow(intent, complexity, { workflows, chosen })
  const should_escalate = complexity === 'high' || confidence < DOUBT
  return {
    intent,
    complexity,
    cloud_provider: cloudOf(text.words),
    workflow_selection: selected.path,
    confidence,
    reasoning: reasoningOf(weighed, text, confidence, selected),
    keywords_detected: keywordsOf(weighed, intent),
    should_escalate,
    escalation_target: should_escalate ? leader : null,
    also: weighed.scores
      .slice(1)
      .flatMap(one => (one.score >= best.score * ALSO && one.cues > 0 ? [one.intent] : []))
      .slice(0, 2),
  }
}

const KEYWORDS = 8
const LONGEST = 60

/** Those that speak for what was decided, in the order in which they stand. */
function keywordsOf({ hits }: Weighed, intent: Intent): readonly string[] {
  const own = hits.filter(({ votes }) => votes.some(vote => vote.for === intent)).map(({ cue }) => cue)
  return [...new Set(own)].slice(0, KEYWORDS).map(cue => cue.slice(0, LONGEST))
}

function reasoningOf(weighed: Weighed, text: Text, confidence: number, selected: Selected): string {
  const [best, next] = weighed.scores
  const quoted = (intent: Intent) =>
    keywordsOf(weighed, intent)
      .slice(0, 3)
      .map(word => `\`${word}\``)
      .join(', ')
  const parts: string[] = []
  if (text.words.length === 0) parts.push('There is no word in it.')
  else if (weighed.hits.length === 0)
    parts.push(text.known < 0.5 ? 'It is written in a script that no table has.' : 'No word of it is in the tables.')
  else if (best.cues === 0) parts.push(`Nothing speaks for one intent; most requests like it are ${best.intent}.`)
  else {
    parts.push(`${quoted(best.intent)}: ${best.intent} (${points(best)}).`)
    if (next && next.cues > 0) parts.push(`Next ${next.intent} (${points(next)}) by ${quoted(next.intent)}.`)
  }
  if (confidence < DOUBT) parts.push('Too little to be sure: let somebody decide who reads it.')
  if (text.skipped > 0) parts.push(`${text.skipped.toLocaleString('en')} characters in the middle were not read.`)
  parts.push(`${selected.isNone ? 'No workflow' : 'Workflow'}: ${selected.why}.`)
  return parts.join(' ')
}

const points = ({ score }: Score): string => score.toFixed(1)
