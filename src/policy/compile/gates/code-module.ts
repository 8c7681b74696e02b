import type { GateDoc } from '../../schema/gate.ts'
import { type CompileContext, reportWarning } from '../context.ts'
import { resolveImportPath } from '../values/imported-allowlist.ts'

/** What every Node that Signalbox supports can load as a module, by the end of the file's name. */
const LOADABLE = ['.mjs', '.js', '.cjs']
/** Needs a newer Node than the oldest supported one. Any Node of the machine may start the hook. */
const TYPESCRIPT = ['.ts', '.mts', '.cts']
const NEEDS_BUILD = [...TYPESCRIPT, '.tsx', '.jsx']
const GATE_FAILS = 'the gate fails, and its `onError` decides'

/** Warns about a module that cannot be loaded: the policy stays in force, but its gate would fail at each event. */
export function warnAboutCodeModule(context: CompileContext, doc: GateDoc): void {
  const { code } = doc
  if (code === undefined) return
  const ending = fileEndingOf(code)
  const exists = isFile(context, code)
  if (!exists) warn(context, doc, `there is no file \`${code}\`: ${GATE_FAILS}`, similarFileHelp(context, code, ending))
  else if (TYPESCRIPT.includes(ending))
    warn(context, doc, `\`${code}\` is TypeScript, which Node before 22.18 cannot load: then ${GATE_FAILS}`, BUILD_HELP)
  else if (NEEDS_BUILD.includes(ending)) warn(context, doc, `Node cannot load \`${code}\`: ${GATE_FAILS}`, BUILD_HELP)
  else if (ending !== '' && !LOADABLE.includes(ending))
    warn(context, doc, `\`${code}\` is not a JavaScript module: ${GATE_FAILS}`, SCRIPT_HELP)
}

const BUILD_HELP = 'compile it to `.mjs`, and name that file'
const SCRIPT_HELP = 'write the gate in a `.mjs` file; a script in another language is a hook: `hooks: [{ event, run }]`'

const warn = (context: CompileContext, doc: GateDoc, message: string, help: string | undefined): void =>
  reportWarning(context, doc, 'code', message, help === undefined ? {} : { help })

/** The same name with another ending: `./gate`, or `./gate.js` as TypeScript imports `gate.ts`. */
function similarFileHelp(context: CompileContext, code: string, ending: string): string | undefined {
  const stem = code.slice(0, code.length - ending.length)
  if (stem.endsWith('/')) return 'name the file of the module'
  const built = LOADABLE.find(other => isFile(context, stem + other))
  if (built !== undefined) return `did you mean \`${stem}${built}\`?`
  const source = NEEDS_BUILD.find(other => isFile(context, stem + other))
  return source && `\`${stem}${source}\` exists: ${BUILD_HELP}`
}

const isFile = (context: CompileContext, code: string): boolean =>
  context.files.read(resolveImportPath(context, code)) !== null

const fileEndingOf = (file: string): string => /[^/](\.[a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ''
