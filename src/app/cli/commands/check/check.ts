import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { isProven } from '../../../../analysis/verify/index.ts'
import { clients } from '../../../../clients/index.ts'
import { findNestedPolicies, type PolicyError } from '../../../../policy/index.ts'
import { findInstalledAgents, findMissingAgents, missingAgentText } from '../../../doctor/index.ts'
import type { Command, Terminal } from '../../command.ts'
import { openProject, openSubfolder, type ProjectContext } from '../../project.ts'
import { colourVerdicts } from '../../terminal/colours.ts'
import { type CheckResult, printCheckReport, userGates } from './check-report.ts'
import { githubAnnotations } from './github-annotations.ts'
import { missingScriptWarnings } from './missing-scripts.ts'
import { storeVerification } from './stored-verification.ts'
import { verificationJson, verifyProject } from './verification.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'Check the policy for errors, and prove that no agent can get stuck. Shows each problem with its fix.',
  usage: '[--client <id>]… [--allow unchecked] [--here] [--reporter text|json|github] [--json]',
  example: 'signalbox check --client claude-code',
  options: {
    client: {
      type: 'string',
      multiple: true,
      about: 'check only for this agent; default: all agents; repeat for several',
    },
    allow: {
      type: 'string',
      multiple: true,
      about:
        'unchecked: exit 0 even if parts could not be checked (code, your own hooks, variables); they are still listed',
    },
    here: { type: 'boolean', about: 'only this folder, without subfolders that have their own policy' },
    reporter: { type: 'string', about: 'text, json, github (annotations in a workflow, and the text)' },
    json: { type: 'boolean', about: 'the same as --reporter json' },
  },
  forPrograms: ({ reporter = 'text' }) => reporter !== 'text',
  async run({ values, terminal }) {
    const reporter = values.json ? 'json' : REPORTERS.find(text => text === (values.reporter ?? 'text'))
    if (!reporter) {
      terminal.err(`signalbox check: unknown reporter \`${values.reporter}\`; one of ${REPORTERS.join(', ')}\n`)
      return 2
    }
    const ids = [values.client ?? []].flat().map(String)
    const unknown = ids.find(id => !clients.some(client => client.id === id))
    if (unknown !== undefined) {
      terminal.err(
        `signalbox check: unknown client \`${unknown}\`; one of ${clients.map(client => client.id).join(', ')}\n`,
      )
      return 2
    }
    const allowed = [values.allow ?? []].flat().map(String)
    const strange = allowed.find(text => text !== 'unchecked')
    if (strange !== undefined) {
      terminal.err(`signalbox check: unknown \`--allow ${strange}\`; expected \`unchecked\`\n`)
      return 2
    }
    const project = openProject(terminal)
    const look = {
      ids,
      allowsUnchecked: allowed.length > 0,
      isShown: reporter === 'text' && terminal.window?.out === true,
    }
    const here = checkFolder(project, look, terminal)
    const nested = values.here === true ? { folders: [] } : findNestedPolicies(project.cwd, project.folders.home)
    const below = nested.folders.map(folder =>
      checkFolder(openSubfolder(folder, project, terminal.env), look, terminal),
    )
    const isSound = here.isSound && below.every(checkResult => checkResult.isSound)
    if (reporter === 'json') {
      const nestedResults = below.map(checkResult => ({
        folder: relative(project.cwd, checkResult.project.cwd),
        ...checkResultJson(checkResult),
      }))
      const { cut } = nested
      const all = {
        ...checkResultJson(here),
        ok: isSound,
        ...(nestedResults.length > 0 && { below: nestedResults }),
        ...(cut && { cut }),
      }
      terminal.out(`${JSON.stringify(all, null, 2)}\n`)
    } else {
      if (reporter === 'github')
        terminal.out(githubAnnotations([here, ...below], terminal.env.GITHUB_WORKSPACE || project.root))
      // not a spread copy: that would lose inherited properties such as the window's width
      printCheckReport(
        here,
        below,
        nested.cut,
        Object.create(terminal, { out: { value: (text: string) => terminal.out(colourVerdicts(text, terminal)) } }),
      )
    }
    if (!isSound) return 1
    return [here, ...below].every(checkResult => checkResult.isProven) ? 0 : UNPROVEN_EXIT_CODE
  },
}

const REPORTERS = ['text', 'json', 'github'] as const

/** Nothing was found, but the proof is incomplete: neither a sound nor a faulty policy. */
const UNPROVEN_EXIT_CODE = 3

interface CheckOptions {
  readonly ids: readonly string[]
  /** accepts parts of the policy that cannot be verified */
  readonly allowsUnchecked: boolean
  /** a person reads the findings */
  readonly isShown: boolean
}

function checkFolder(
  all: ProjectContext,
  { ids, isShown, allowsUnchecked }: CheckOptions,
  terminal: Terminal,
): CheckResult {
  const onThisDisk = withWarningsOfDisk(withMissingAgents(all, terminal), all.root)
  const project = { ...all, policy: ids.length === 0 ? onThisDisk : onlyWarningsFor(onThisDisk, ids) }
  const proof = verifyProject(project, ids, terminal)
  const { program, problems, warnings } = project.policy
  const isOld = project.policy.layers.some(({ state }) => state === 'last-good')
  if (ids.length === 0) storeVerification(project.folders.state, program.hash, proof.here ?? proof, { isShown, isOld })
  const isSound = [...problems, ...warnings.filter(hasNoEffect), ...proof.findings].length === 0
  return { project, proof, isSound, isProven: isProven(allowsUnchecked ? { ...proof, unchecked: [] } : proof) }
}

/** Adds a warning for each agent that a denial suggests or a gate waits for, and that an installed client does not have. */
function withMissingAgents(
  { policy, root, folders: { home } }: ProjectContext,
  { env }: Terminal,
): ProjectContext['policy'] {
  if (policy.problems.length > 0) return policy
  const where = { root, home, env }
  const [first] = policy.layers.filter(({ layer }) => layer !== 'built-in')
  const missing = findMissingAgents(findInstalledAgents(where), policy.program, where).map((agent): PolicyError => {
    const { client, name, isWritten, at = '' } = agent
    const [, file = first?.file ?? '', line = 1] = /^(.+):(\d+)$/.exec(at) ?? []
    return {
      ...{ file: resolve(root, file.replace(/^~/, home)), line: Number(line), column: 1, client: client.id },
      message: missingAgentText(agent),
      help: isWritten ? `run \`signalbox init\` to create it` : `define the agent \`${name}\`, or name another agent`,
    }
  })
  return { ...policy, warnings: [...policy.warnings, ...missing] }
}

/** Removes warnings about the limits of clients that were not asked for. */
const onlyWarningsFor = (policy: ProjectContext['policy'], ids: readonly string[]): ProjectContext['policy'] => ({
  ...policy,
  warnings: policy.warnings.filter(({ client }) => client === undefined || ids.includes(client)),
})

/** A pattern that matches nothing protects nothing, so the policy is not sound. */
const hasNoEffect = ({ noEffect }: PolicyError): boolean => noEffect === true

/** `path: src` matches only that file: a mistake if `src` is a folder, and right if it is a file. A gate may wait for a missing script. */
function withWarningsOfDisk(policy: ProjectContext['policy'], root: string): ProjectContext['policy'] {
  const warnings = policy.warnings.flatMap((warning): PolicyError[] => {
    if (warning.folder === undefined) return [warning]
    const found = statSync(resolve(root, warning.folder), { throwIfNoEntry: false })
    if (found?.isFile()) return []
    return found?.isDirectory() ? [{ ...warning, noEffect: true }] : [warning]
  })
  return { ...policy, warnings: [...warnings, ...missingScriptWarnings(policy.program, root)] }
}

function checkResultJson({ project, proof, isSound }: CheckResult) {
  const { problems, warnings, inactive, layers, program } = project.policy
  const gates = userGates(program).length
  return { ok: isSound, layers, problems, warnings, inactive, gates, proof: verificationJson(proof) }
}
