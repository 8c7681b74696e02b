import type { Complexity, Intent } from '../../../policy/intents.ts'
import { type CloudProvider, detectCloud } from './cloud.ts'
import { estimateComplexity } from './complexity.ts'
import { estimateConfidence } from './confidence.ts'
import { detectLanguages } from './language.ts'
import { parseRequestText, type RequestText } from './request-text.ts'
import { type IntentScore, type IntentScores, scoreIntents } from './score-intents.ts'
import {
  selectWorkflow,
  type WorkflowChoices,
  type WorkflowDescription,
  type WorkflowSelection,
} from './select-workflow.ts'
import { ESCALATION_THRESHOLD, SECOND_INTENT_SHARE } from './tables/confidence.ts'

/** The router's answer. Gates of packs read these keys, so the shape must not change. */
export interface RoutingDecision {
  readonly intent: Intent
  readonly complexity: Complexity
  readonly cloud_provider: CloudProvider | null
  readonly workflow_selection: string
  readonly confidence: number
  readonly reasoning: string
  readonly keywords_detected: readonly string[]
  readonly should_escalate: boolean
  readonly escalation_target: string | null
  /** other intents of the request, strongest first */
  readonly also: readonly Intent[]
}

export interface RoutingContext {
  readonly workflows: readonly WorkflowDescription[]
  readonly chosen: WorkflowChoices
  /** the agent that leads complex work; null if the project has none */
  readonly leader: string | null
}

const EMPTY_CONTEXT: RoutingContext = { workflows: [], chosen: {}, leader: null }

/** Deterministic: the same request gives the same decision. Uses no model, clock or randomness. */
export function routeRequest(
  request: string,
  { workflows, chosen, leader }: RoutingContext = EMPTY_CONTEXT,
): RoutingDecision {
  const text = parseRequestText(request)
  const weighed = scoreIntents(text)
  const [best] = weighed.scores
  const intent = best.intent
  const complexity = estimateComplexity(intent, text.words, detectLanguages(text.words).cueLanguages)
  const confidence = estimateConfidence(weighed, text)
  const selected = selectWorkflow(intent, complexity, { workflows, chosen })
  const should_escalate = complexity === 'high' || confidence < ESCALATION_THRESHOLD
  return {
    intent,
    complexity,
    cloud_provider: detectCloud(text.words),
    workflow_selection: selected.path,
    confidence,
    reasoning: reasoningOf(weighed, text, confidence, selected),
    keywords_detected: keywordsOf(weighed, intent),
    should_escalate,
    escalation_target: should_escalate ? leader : null,
    also: weighed.scores
      .slice(1)
      .flatMap(score => (score.score >= best.score * SECOND_INTENT_SHARE && score.cues > 0 ? [score.intent] : []))
      .slice(0, 2),
  }
}

const MAX_KEYWORDS = 8
const MAX_KEYWORD_LENGTH = 60

/** The cues that vote for the decided intent, in the order of the request. */
function keywordsOf({ hits }: IntentScores, intent: Intent): readonly string[] {
  const own = hits.filter(({ votes }) => votes.some(vote => vote.for === intent)).map(({ cue }) => cue)
  return [...new Set(own)].slice(0, MAX_KEYWORDS).map(cue => cue.slice(0, MAX_KEYWORD_LENGTH))
}

function reasoningOf(
  weighed: IntentScores,
  text: RequestText,
  confidence: number,
  selected: WorkflowSelection,
): string {
  const [best, next] = weighed.scores
  const quoted = (intent: Intent) =>
    keywordsOf(weighed, intent)
      .slice(0, 3)
      .map(word => `\`${word}\``)
      .join(', ')
  const parts: string[] = []
  if (text.words.length === 0) parts.push('The request contains no words.')
  else if (weighed.hits.length === 0)
    parts.push(
      text.known < 0.5
        ? 'The request is in a script that the router does not know.'
        : 'The router knows none of its words.',
    )
  else if (best.cues === 0) parts.push(`No word points to an intent; most requests like this are ${best.intent}.`)
  else {
    parts.push(`${quoted(best.intent)}: ${best.intent} (${formatScore(best)}).`)
    if (next && next.cues > 0) parts.push(`Next ${next.intent} (${formatScore(next)}) by ${quoted(next.intent)}.`)
  }
  if (confidence < ESCALATION_THRESHOLD) parts.push('Not certain enough: let a person or a model decide.')
  if (text.skipped > 0) parts.push(`${text.skipped.toLocaleString('en')} characters in the middle were not read.`)
  parts.push(`${selected.isNone ? 'No workflow' : 'Workflow'}: ${selected.why}.`)
  return parts.join(' ')
}

const formatScore = ({ score }: IntentScore): string => score.toFixed(1)
