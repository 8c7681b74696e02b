import type { RoutingDecision } from './router/index.ts'

/** From this on a request is believed to be a question: who is wrong about it gets an answer in place of work. */
const MIN_CONFIDENCE = 0.6
/** What ends in words. */
const ANSWER_INTENTS: readonly RoutingDecision['intent'][] = [
  'question',
  'research',
  'analysis',
  'planning',
  'code_review',
  'security_review',
]

/** Is it answered by words alone? Somebody who only wants to know is approved for nothing; who wants something done gets it done. */
export function isQuestionOnly(task: string, { intent, also, confidence }: RoutingDecision): boolean {
  const clauses = clausesOf(task)
  if (clauses.some(clause => ORDER_VERB.test(clause)) || INTO_FILE.test(task)) return false
  if (clauses.some(clause => NO_CHANGES.test(clause))) return true
  if (confidence < MIN_CONFIDENCE || !ANSWER_INTENTS.includes(intent)) return false
  // "why is it slow?" is about speed, and a question all the same
  return intent === 'question' || also.every(one => ANSWER_INTENTS.includes(one))
}

/** An order stands where a sentence or a part of it begins. */
const clausesOf = (task: string): readonly string[] =>
  task
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[’ʼ`']/g, '')
    .split(/[.,;:?!\n()]+|\s-+\s|\b(?:and|then|und|dann|et|puis|y|luego|e|poi|depois)\b/)
    .map(clause => clause.trim().replace(ORDER_PREFIX, ''))

/** What may stand in front of an order. */
const ORDER_PREFIX =
  /^(?:(?:please|pls|just|also|now|so|ok|hey|hi|if (?:not|so|it is|it isnt|it does|it doesnt|needed|necessary)|otherwise|else|(?:can|could|would|will) you|you should|i want you to|i need you to|lets|bitte|sonst|falls nicht|kannst du|stp|svp|sinon|por favor|si no|per favore|se no)\s+)+/

/** Verbs by which something is changed, and `do it`. */
const ORDER_VERB = new RegExp(
  `^(?:${[
    'do (?:it|this|that|the|a|an|all|what|them|as)|go ahead|make|add|fix|repair|install|uninstall|create|build|write|rewrite|implement|change|update|upgrade|remove|delete|drop|rename|refactor|replace|move|migrate|set|configure|apply|commit|push|merge|revert|deploy|release|publish|bump|generate|convert|port|clean|format|enable|disable|wire|integrate|extract|split|optimi[sz]e|improve|correct|edit|modify|put|save|document|patch|carry|execute|tidy|mend|solve|resolve|address',
    'mach|baue|fuge|behebe|repariere|erstelle|schreibe?|implementiere|andere|losche|entferne|ersetze|installiere|benenne|aktualisiere',
    'ajoute|corrige|cree|ecris|implemente|modifie|supprime|remplace|installe|renomme',
    'anade|agrega|arregla|crea|escribe|implementa|cambia|elimina|borra|instala|renombra',
    'adicione|corrija|conserte|crie|escreva|implemente|mude|remova|instale',
    'aggiungi|correggi|ripara|scrivi|modifica|rimuovi|installa|rinomina',
  ].join('|')})\\b`,
)

/** `… into SUMMARY.md`. */
const INTO_FILE = /\b(?:into|to|in) [`"']?[\w./-]+\.(?:md|txt|json|ya?ml|csv|html|ts|js|py|rs|go)\b/i

/** It says itself that nothing is to change. */
const NO_CHANGES =
  /^(?:dont|do not|without|never) (?:fix|chang|touch|edit|modif|writ)\w* (?:anything|any|it|the code|code|files)|^no changes\b|^(?:only|just)? ?(?:tell me|explain|answer) (?:only|why|what|how|where|which|who)|^read only\b|^nichts (?:andern|anfassen)|^ne (?:change|touche|modifie) rien|^sin cambiar nada|^non cambiare nulla/
