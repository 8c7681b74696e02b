import { Composer, type Document, isScalar, type LineCounter, Parser, visit, YAMLParseError } from 'yaml'
import { LimitExceeded, type ProjectLimits } from '../limits.ts'
import type { YamlFault } from './yaml-errors.ts'

interface ParsedYaml {
  readonly document: Document.Parsed
  readonly faults: readonly YamlFault[]
}

/** Parses in time linear in the length of the text. Returns null if the text is nested too deeply. */
export function parseYaml(text: string, lines: LineCounter, limits?: ProjectLimits): ParsedYaml | null {
  const { stackTraceLimit } = Error
  // the parser creates an Error for every fault, and nobody uses the stack traces
  Error.stackTraceLimit = 0
  try {
    const document = composeDocument(text, lines, limits)
    const { errors, warnings } = document
    const twice = findDuplicateKeys(document)
    const found = twice.length === 0 ? errors : [...errors, ...twice].sort((a, b) => a.pos[0] - b.pos[0])
    return { document, faults: [...found, ...warnings] }
  } catch (error) {
    if (error instanceof LimitExceeded) throw error
    return null
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Works like the library's `parseDocument`, but counts tokens before anything is built from them. */
function composeDocument(text: string, lines: LineCounter, limits?: ProjectLimits): Document.Parsed {
  const parser = limits ? new CountingParser(lines.addNewLine, limits) : new Parser(lines.addNewLine)
  // the library's `uniqueKeys` check compares each key with all keys before it (quadratic)
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, strict: true })
  let document: Document.Parsed | undefined
  for (const parsed of composer.compose(parser.parse(text), true, text.length)) {
    if (document) {
      const [start, end] = parsed.range
      document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'There is more than one document'))
      break
    }
    document = parsed as Document.Parsed
  }
  if (!document) throw new Error('the parser gave no document')
  return document
}

class CountingParser extends Parser {
  constructor(
    onNewLine: (offset: number) => void,
    private readonly limits: ProjectLimits,
  ) {
    super(onNewLine)
  }

  override *next(lexeme: string) {
    this.limits.spend('words', 1)
    yield* super.next(lexeme)
  }
}

function findDuplicateKeys(document: Document.Parsed): readonly YamlFault[] {
  const faults: YamlFault[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const at = key.range?.[0] ?? 0
        if (seen.has(key.value))
          faults.push({ code: 'DUPLICATE_KEY', message: 'Map keys must be unique', pos: [at, at + 1] })
        seen.add(key.value)
      }
    },
  })
  return faults
}
