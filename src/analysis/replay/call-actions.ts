import type { Client } from '../../clients/index.ts'
import { type Event, isShell } from '../../engine/index.ts'
import * as shell from '../../engine/shell/index.ts'
import { withActions, withKnownActions } from '../../hook/index.ts'
import { withAttestedStatus } from './attested-status.ts'
import type { CallActions, ReplaySession } from './replay-session.ts'

const MAX_OPEN_CALLS = 256
const MAX_CACHED_PATHS = 20_000
const MAX_CACHED_LINES = 2000
const MAX_CACHED_LINE_LENGTH = 500

/** Is called when the actions of a line are cached, and when the cache is emptied. */
export interface LineCacheListener {
  expect(actions: CallActions): void
  forget(): void
}

/** Analyses what calls do. A line is analysed once for its beginning and its end, and a frequent line once for all its calls. */
export class CallActionAnalysis {
  readonly #home: string
  readonly #cached: LineCacheListener
  readonly #realPaths = new Map<string, string>()
  readonly #lines = new Map<string, CallActions>()
  readonly #once = new Set<string>()

  constructor(home: string, cached: LineCacheListener) {
    this.#home = home
    this.#cached = cached
  }

  /** The event with its actions. */
  complete(event: Event, live: ReplaySession, { shellProjectEnv }: Client): Event {
    const { call } = event
    // Events from records already have their actions.
    if (!call || call.acts.length > 0) return event
    const id = call.id ?? ''
    const known = id === '' ? undefined : live.acts.get(id)
    const { root } = live.policies
    const vars = shellProjectEnv === undefined ? {} : { [shellProjectEnv]: root }
    if (this.#realPaths.size > MAX_CACHED_PATHS) this.#realPaths.clear()
    const cwd = event.cwd ?? root
    const actionContext = { root, cwd, home: this.#home, shell: () => shell, vars, real: this.#realPaths }
    const full = known ? withKnownActions(event, known) : this.#analyse(event, actionContext)
    if (event.kind !== 'tool.before') {
      live.acts.delete(id)
      return withAttestedStatus(full, actionContext)
    }
    if (live.acts.size >= MAX_OPEN_CALLS) live.acts.clear()
    if (id !== '' && full.call) live.acts.set(id, full.call.acts)
    return full
  }

  /** Caches by line and folder: the same line in the same folder has the same actions. */
  #analyse(event: Event, context: Parameters<typeof withActions>[1]): Event {
    const { call } = event
    const { command, run_in_background } = call?.input ?? {}
    const isLine = call !== undefined && isShell(call.tool) && typeof command === 'string'
    if (!isLine || command.length > MAX_CACHED_LINE_LENGTH) return withActions(event, context)
    const key = [context.root, context.cwd, call.tool, call.folder, run_in_background, command].join('\n')
    const known = this.#lines.get(key)
    if (known) return withKnownActions(event, known)
    const full = withActions(event, context)
    if (full.call) this.#keep(key, full.call.acts)
    return full
  }

  /** Caches a line from its second occurrence on. Most lines occur once, and caching them all costs more than it saves. */
  #keep(key: string, actions: CallActions): void {
    if (!this.#once.has(key)) {
      if (this.#once.size >= MAX_CACHED_LINES) this.#once.clear()
      this.#once.add(key)
      return
    }
    if (this.#lines.size >= MAX_CACHED_LINES) {
      this.#lines.clear()
      this.#cached.forget()
    }
    this.#lines.set(key, actions)
    this.#cached.expect(actions)
  }
}
