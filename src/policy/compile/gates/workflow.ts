import { didYouMean } from '../../../lib/did-you-mean.ts'
import type { WorkflowEntryDoc, WorkflowsDoc } from '../../schema/workflow.ts'
import {
  PROMPT_VARIABLES,
  type RepeatUntil,
  type Workflow,
  type WorkflowEntry,
  type WorkflowStep,
} from '../../workflow.ts'
import { type CompileContext, mayLoosen, reportError, reportErrorAtKey, reportWarning, toList } from '../context.ts'

/** A workflow gets agents approved and can run commands, so each workflow of a project needs trust. */
export function compileWorkflows(
  context: CompileContext,
  docs: WorkflowsDoc | undefined,
): Readonly<Record<string, Workflow>> | undefined {
  if (!docs) return undefined
  const compiled = Object.entries(docs).flatMap(([name, { about, steps }]) => {
    const entries = compileEntries(context, steps)
    if (entries.length > 0 && entries.every(entry => entry.kind !== 'step'))
      reportErrorAtKey(context, docs, name, `workflow \`${name}\` has no step with a \`prompt\``)
    return mayLoosen(context, docs, name, `workflow \`${name}\``)
      ? [[name, { ...(about !== undefined && { about }), steps: entries }] as const]
      : []
  })
  return compiled.length > 0 ? Object.fromEntries(compiled) : undefined
}

/** Strongest layer first: each workflow is taken whole from the strongest layer that has it. */
export const mergeWorkflows = (layers: readonly (Readonly<Record<string, Workflow>> | undefined)[]) => {
  const workflows: Readonly<Record<string, Workflow>> = Object.assign({}, ...layers.map(layer => layer ?? {}).reverse())
  return Object.keys(workflows).length > 0 ? { workflows } : {}
}

function compileEntries(context: CompileContext, docs: readonly WorkflowEntryDoc[]): readonly WorkflowEntry[] {
  const seen = new Set<string>()
  return docs.flatMap((doc, at) => {
    const entry = compileEntry(context, docs, at, doc)
    if (entry?.kind === 'step' && seen.has(entry.id))
      reportError(context, doc, 'id', `step \`${entry.id}\` is defined twice`)
    if (entry?.kind === 'step') seen.add(entry.id)
    return entry ?? []
  })
}

const ENTRY_KINDS = ['prompt', 'gate', 'person'] as const

function compileEntry(
  context: CompileContext,
  docs: readonly WorkflowEntryDoc[],
  at: number,
  doc: WorkflowEntryDoc,
): WorkflowEntry | undefined {
  const kinds = ENTRY_KINDS.filter(key => doc[key] !== undefined)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    reportError(context, docs, at, `step ${at + 1} must have one of \`prompt\`, \`gate\` or \`person\``, {
      help: 'write a gate or a person as its own entry between two steps',
    })
    return undefined
  }
  if (kind === 'prompt') return compileStep(context, docs, at, doc)
  const more = Object.keys(doc).find(key => key !== kind)
  if (more !== undefined) reportErrorAtKey(context, doc, more, `\`${more}\` cannot be combined with \`${kind}\``)
  if (doc.person !== undefined) return { kind: 'person', question: doc.person }
  const { gate = '' } = doc
  checkGateExists(context, doc, gate)
  return { kind: 'gate', gate }
}

function checkGateExists(context: CompileContext, doc: WorkflowEntryDoc, name: string): void {
  const found = context.names.find(gate => gate.name === name || gate.id === name)
  if (!found) {
    const names = context.names.map(gate => gate.name)
    reportWarning(context, doc, 'gate', `there is no gate \`${name}\` here: the workflow would stop at it`, {
      help: didYouMean(name, names),
    })
  } else if (!found.stateful) reportWarning(context, doc, 'gate', `gate \`${name}\` has no state: it never opens`)
}

function compileStep(
  context: CompileContext,
  docs: readonly WorkflowEntryDoc[],
  at: number,
  doc: WorkflowEntryDoc,
): WorkflowStep | undefined {
  const { id, prompt = '', agent, backend, minutes } = doc
  if (id === undefined) {
    reportError(context, docs, at, `step ${at + 1} needs an \`id\``, { help: 'its state is stored under this id' })
    return undefined
  }
  checkPrompt(context, doc, prompt)
  checkBackend(context, doc, backend)
  const artifacts = compileProjectPaths(context, doc, 'artifacts')
  const may =
    doc.may === undefined ? undefined : [...new Set([...compileProjectPaths(context, doc, 'may'), ...artifacts])]
  if (JSON.stringify(may ?? []).length > MAX_MAY_LENGTH)
    reportError(context, doc, 'may', `must not be longer than ${MAX_MAY_LENGTH} characters: it is part of an approval`)
  const until = compileUntil(context, doc)
  return {
    ...{ kind: 'step', id, prompt, artifacts },
    ...(agent !== undefined && { agent }),
    ...(backend !== undefined && { backend }),
    ...(may && { may }),
    ...(minutes !== undefined && { minutes }),
    ...(doc.repeat && until && { repeat: { most: doc.repeat.most, until } }),
  }
}

const MAX_MAY_LENGTH = 3000

function checkPrompt(context: CompileContext, doc: WorkflowEntryDoc, prompt: string): void {
  for (const [, word = ''] of prompt.matchAll(/\{([a-z]+)\}/g))
    if (!PROMPT_VARIABLES.some(variable => variable === word))
      reportError(context, doc, 'prompt', `a prompt has no variable \`{${word}}\``, {
        help:
          didYouMean(word, PROMPT_VARIABLES, text => `{${text}}`) ??
          `there are ${PROMPT_VARIABLES.map(variable => `{${variable}}`).join(', ')}`,
      })
}

function checkBackend(context: CompileContext, doc: WorkflowEntryDoc, backend: string | undefined): void {
  const known = context.input.clients.flatMap(client => client.backend ?? [])
  if (backend !== undefined && !known.includes(backend))
    reportWarning(context, doc, 'backend', `there is no backend \`${backend}\``, {
      help: didYouMean(backend, known) ?? `there are ${known.join(', ')}`,
    })
}

/** Paths in the project: `may` accepts wildcards and folders (`docs/`), an artifact is one file. */
function compileProjectPaths(
  context: CompileContext,
  doc: WorkflowEntryDoc,
  key: 'artifacts' | 'may',
): readonly string[] {
  return toList(doc[key]).map(path => {
    const isOutside = /^[/~]/.test(path) || path.split('/').includes('..')
    if (isOutside)
      reportError(context, doc, key, `\`${path}\` must be in the project`, {
        help: 'write it from the project root: `docs/plan.md`',
      })
    if (key === 'artifacts' && (/[*?{[]/.test(path) || path.endsWith('/')))
      reportError(context, doc, key, `\`${path}\` must be one file, without wildcards`)
    return path.replace(/^(?:\.\/)+/, '')
  })
}

function compileUntil(context: CompileContext, doc: WorkflowEntryDoc): RepeatUntil | undefined {
  const { repeat } = doc
  if (!repeat) return undefined
  const { run, file, says } = repeat.until
  if (run !== undefined && file === undefined && says === undefined) return { run }
  if (run === undefined && file !== undefined && says !== undefined) {
    if (/^[/~]/.test(file) || file.split('/').includes('..'))
      reportError(context, repeat.until, 'file', `\`${file}\` must be in the project`)
    return { file, says }
  }
  reportError(context, repeat, 'until', 'must be `{ run }` or `{ file, says }`')
  return undefined
}
