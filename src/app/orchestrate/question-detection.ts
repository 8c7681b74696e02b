import type { RoutingDecision } from './router/index.ts'

/** Minimum confidence to treat a request as a question. A mistake gives the person an answer instead of work. */
const MIN_CONFIDENCE = 0.6
/** Intents whose result is text. */
const ANSWER_INTENTS: readonly RoutingDecision['intent'][] = [
  'question',
  'research',
  'analysis',
  'planning',
  'code_review',
  'security_review',
]

/** Whether words alone answer the request. A question gets no approval; a request for work does. */
export function isQuestionOnly(task: string, { intent, also, confidence }: RoutingDecision): boolean {
  const clauses = clausesOf(task)
  if (clauses.some(clause => ORDER_VERB.test(clause)) || INTO_FILE.test(task)) return false
  if (clauses.some(clause => NO_CHANGES.test(clause))) return true
  if (confidence < MIN_CONFIDENCE || !ANSWER_INTENTS.includes(intent)) return false
  // "why is it slow?" has the intent speed too, but is still a question
  return intent === 'question' || also.every(text => ANSWER_INTENTS.includes(text))
}

/** Splits the task into clauses: an order stands at the beginning of a clause. */
const clausesOf = (task: string): readonly string[] =>
  task
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[’ʼ`']/g, '')
    .split(/[.,;:?!\n()]+|\s-+\s|\b(?:and|then|und|dann|et|puis|y|luego|e|poi|depois)\b/)
    .map(clause => clause.trim().replace(ORDER_PREFIX, ''))

/** Words that may come before an order. */
const ORDER_PREFIX =
  /^(?:(?:please|pls|just|also|now|so|ok|hey|hi|if (?:not|so|it is|it isnt|it does|it doesnt|needed|necessary)|otherwise|else|(?:can|could|would|will) you|you should|i want you to|i need you to|lets|bitte|sonst|falls nicht|kannst du|stp|svp|sinon|por favor|si no|per favore|se no)\s+)+/

/** Verbs that ask for a change, and `do it`. */
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

/** The request itself says that nothing may change. */
const NO_CHANGES =
  /^(?:dont|do not|without|never) (?:fix|chang|touch|edit|modif|writ)\w* (?:anything|any|it|the code|code|files)|^no changes\b|^(?:only|just)? ?(?:tell me|explain|answer) (?:only|why|what|how|where|which|who)|^read only\b|^nichts (?:andern|anfassen)|^ne (?:change|touche|modifie) rien|^sin cambiar nada|^non cambiare nulla/
